import type { MetadataRoute } from 'next';
import { en } from './messages/en.ts';

export default function manifest(): MetadataRoute.Manifest {
  return {
    name: en.common.name,
    short_name: en.common.name,
    description: en.common.description,
    lang: 'en',
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
