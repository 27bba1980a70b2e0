import { CircleCheck, CircleUserRound, TriangleAlert, WifiOff } from 'lucide-react';
import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { regionOf } from '../messages/languages.ts';
import { getContext } from '../server/http/context.ts';
import { requestLocale } from './_i18n/request-locale.ts';
import { Languages, WithMessages } from './_i18n/translated.tsx';
import { translator } from './_i18n/translator.ts';
import './_ui/styles/global.css';
import { StorageNotice } from './_keys/storage-notice.tsx';
import { MyPages } from './_session/my-pages.tsx';
import { PaletteRoot } from './_session/palette-root.tsx';
import { RouterReady } from './_ui/address.ts';
import { EARLY_SCRIPT } from './_ui/early-script.ts';
import { OfflineNotice } from './_ui/offline-notice.tsx';
import { PREVIEW_IMAGE } from './_ui/page-metadata.ts';
import { PageTitle } from './_ui/page-title.tsx';
import { SiteFooter } from './_ui/site-footer.tsx';
import { SiteHeader } from './_ui/site-header.tsx';
import { titlesIn } from './titles.ts';

const text = localFont({
  src: '../node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
  weight: '200 800',
  variable: '--font-text',
});

const code = localFont({
  src: '../node_modules/@fontsource-variable/atkinson-hyperlegible-mono/files/atkinson-hyperlegible-mono-latin-wght-normal.woff2',
  weight: '200 800',
  variable: '--font-code',
  preload: false,
  adjustFontFallback: false,
  fallback: ['ui-monospace', 'monospace'],
});

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('shell');
  const [name, description] = [t('name'), t('description')];
  return {
    metadataBase: new URL(getContext().publicUrl()),
    description,
    applicationName: name,
    formatDetection: { telephone: false, address: false, email: false, date: false },
    twitter: { card: 'summary_large_image', images: PREVIEW_IMAGE },
    openGraph: {
      title: name,
      description,
      type: 'website',
      locale: regionOf(await requestLocale()).replace('-', '_'),
      images: PREVIEW_IMAGE,
    },
  };
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f8f7' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1514' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1];
  const { config, network, ledgerId } = getContext();
  const t = await translator('shell');
  const locale = await requestLocale();
  return (
    <html lang={locale} className={`${text.variable} ${code.variable}`} data-ledger={ledgerId} suppressHydrationWarning>
      <head>
        <script nonce={nonce} suppressHydrationWarning>
          {EARLY_SCRIPT}
        </script>
        <PageTitle titles={titlesIn(locale)} />
      </head>
      <body className="flex min-h-svh flex-col print:min-h-0">
        <a
          href="#content"
          className="fixed top-2 left-2 z-10 rounded-md bg-surface px-5 py-3 font-semibold text-accent not-focus:sr-only"
        >
          {t('skip')}
        </a>
        <SiteHeader
          permanent={network.kind === 'arweave'}
          dashboard={<MyPages signIn={t('signIn')} name={t('dashboard')} icon={<CircleUserRound aria-hidden />} />}
          languages={<Languages />}
        />
        <OfflineNotice>
          <p className="flex items-center justify-center gap-2 border-b border-caution-edge bg-caution-soft px-4 py-2 text-sm font-semibold text-caution-ink">
            <WifiOff aria-hidden className="size-5 shrink-0" />
            {t('offline')}
          </p>
        </OfflineNotice>
        <StorageNotice
          again={
            <p className="flex items-center justify-center gap-2 border-b border-accent bg-accent-soft px-4 py-2 text-sm font-semibold text-accent-ink">
              <CircleCheck aria-hidden className="size-5 shrink-0" />
              {t('storage.again')}
            </p>
          }
        >
          <div className="flex justify-center gap-2 border-b border-caution-edge bg-caution-soft px-4 py-3 text-caution-ink">
            <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
            <p className="max-w-prose">
              <b>{t('storage.title')}</b> {t('storage.body')}
            </p>
          </div>
        </StorageNotice>
        <main id="content" tabIndex={-1} className="min-h-svh grow focus:outline-none print:min-h-0">
          <WithMessages namespaces={['common', 'errors']}>{children}</WithMessages>
        </main>
        <WithMessages namespaces={['common', 'errors', 'palette']}>
          <PaletteRoot titles={titlesIn(locale)} name={t('name')} />
        </WithMessages>
        <RouterReady />
        <SiteFooter version={config.VERSION} />
      </body>
    </html>
  );
}
