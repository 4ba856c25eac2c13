module.exports = { manual: ['intro', 'firing', 'api/schedule', 'errors'] }
