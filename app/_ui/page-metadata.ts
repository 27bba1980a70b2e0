import type { Metadata } from 'next';

/** What a preview of any page shows; 1200 by 630 pixels. */
export const PREVIEW_IMAGE = '/opengraph.png';

/** The metadata of a page behind a private link: not indexed, and only the kind of page, because previews show it. */
export const pageMetadata = (title: string): Metadata => ({
  description: null,
  robots: { index: false, follow: false },
  openGraph: { title },
});

/** The metadata of a public page. Next replaces the layout's `openGraph` as a whole, so it names the image again. */
export const publicMetadata = (title: string, description: string): Metadata => ({
  description,
  openGraph: { title, description, images: PREVIEW_IMAGE },
});
