import type { Metadata } from 'next';

/** Of a page behind a guardian link: in no index, and nothing but what kind of page it is, for that ends up in previews and histories. */
export const pageMetadata = (title: string): Metadata => ({
  description: null,
  robots: { index: false, follow: false },
  openGraph: { title },
});
