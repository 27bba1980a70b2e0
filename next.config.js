import { readFileSync } from 'node:fs';
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from 'next/constants.js';

const brokenIn = (language) => {
  const { title, body, reference, retry } = JSON.parse(
    readFileSync(new URL(`messages/${language}.json`, import.meta.url), 'utf8'),
  ).common.broken;
  return { title, body, reference, retry };
};

/** @returns {import('next').NextConfig} */
export default (phase) => ({
  // server/launch/build.mjs moves each build to a folder of its own; server/processes/serve.ts names the one to serve.
  distDir: (phase === PHASE_PRODUCTION_SERVER && process.env.PERPETUA_PAGES) || '.build/next',
  generateBuildId: () => process.env.PERPETUA_BUILD ?? null,
  poweredByHeader: false,
  reactStrictMode: true,
  // `/_ui` shows the components; it is a page in development only.
  pageExtensions: phase === PHASE_DEVELOPMENT_SERVER ? ['dev.tsx', 'tsx', 'ts'] : ['tsx', 'ts'],
  typescript: { ignoreBuildErrors: true },
  // Pages are loaded when they are first asked for: the API, which most processes mostly serve, needs none of them.
  // Without a connection a link keeps the page, with its unlocked key and typed text, and is followed later.
  experimental: {
    preloadEntriesOnStart: false,
    useOffline: true,
    // They do not declare that their modules have no side effects: pages would load all of them.
    optimizePackageImports: ['@trpc/client', '@trpc/server', '@trpc/tanstack-react-query'],
  },
  // `npm run dev` only: Next's socket for changed pages accepts localhost and these hosts.
  allowedDevOrigins: ['127.0.0.1', '[::1]'],
  // Messages are sent parsed: see app/_i18n/compiled.ts.
  turbopack: {
    resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' },
    rules: {
      '**/lucide-react/dist/esm/createLucideIcon.mjs': { loaders: ['./app/_ui/icon-loader.mjs'], as: '*.js' },
      '**/protocol/operations.ts': {
        condition: 'browser',
        loaders: ['./client/operation-data.mjs'],
        as: '*.js',
      },
    },
  },
  // app/global-error.tsx runs where no layout has given it messages.
  env: {
    BROKEN_MESSAGES: JSON.stringify({ en: brokenIn('en'), 'pt-BR': brokenIn('pt-BR'), es: brokenIn('es') }),
  },
});
