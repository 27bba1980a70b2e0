/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  typescript: { ignoreBuildErrors: true },
  // Pages are loaded when they are first asked for: the API, which most processes mostly serve, needs none of them.
  experimental: { preloadEntriesOnStart: false },
  // Messages are sent parsed: see app/_i18n/compiled.ts.
  turbopack: { resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
};
