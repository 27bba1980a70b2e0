import type { MetadataRoute } from 'next';
import { requestLocale } from './_i18n/request-locale.ts';
import { translator } from './_i18n/translator.ts';

export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const t = await translator('shell');
  return {
    name: t('name'),
    short_name: t('name'),
    description: t('description'),
    lang: await requestLocale(),
    start_url: '/',
    display: 'browser',
    background_color: '#f6f8f7',
    theme_color: '#f6f8f7',
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
    ],
  };
}
