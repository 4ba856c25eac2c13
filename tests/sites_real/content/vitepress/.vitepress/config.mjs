export default {
  title: 'Orrery',
  description: 'Planets on a clock',
  cleanUrls: true,
  lastUpdated: false,
  markdown: { lineNumbers: true },
  themeConfig: {
    nav: [{ text: 'Guide', link: '/guide/start' }, { text: '3.2.1', items: [{ text: 'Changes', link: '/changes' }] }],
    sidebar: [
      { text: 'Guide', items: [{ text: 'Getting started', link: '/guide/start' }, { text: 'Moons', link: '/guide/moons' }] },
      { text: 'API', items: [{ text: 'The Orrery object', link: '/api/orrery' }, { text: 'Options', link: '/api/options' }] },
    ],
    editLink: { pattern: 'https://orrery.example/edit/:path', text: 'Edit this page in the workshop' },
    footer: { message: 'Wound up with care.', copyright: 'The clock makers' },
    search: { provider: 'local' },
  },
}
