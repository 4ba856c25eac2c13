module.exports = {
  title: 'Kiln',
  url: 'https://kiln.example',
  baseUrl: '/',
  onBrokenLinks: 'warn',
  i18n: { defaultLocale: 'en', locales: ['en'] },
  presets: [
    [
      'classic',
      {
        docs: {
          routeBasePath: 'docs',
          sidebarPath: './sidebars.js',
          editUrl: 'https://kiln.example/edit/',
          lastVersion: 'current',
          versions: { current: { label: '2.0' } },
        },
        blog: false,
        pages: false,
        sitemap: {},
      },
    ],
  ],
  themeConfig: {
    announcementBar: { id: 'fair', content: 'Meet us at the pottery fair! <a href="/docs/intro">Tickets</a>', isCloseable: true },
    navbar: { title: 'Kiln', items: [{ type: 'docsVersionDropdown' }, { type: 'doc', docId: 'intro', label: 'Manual' }] },
    footer: { style: 'dark', copyright: 'Fired by the Kiln guild' },
  },
}
