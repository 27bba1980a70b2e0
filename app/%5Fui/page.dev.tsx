import { WithMessages } from '../_i18n/translated.tsx';
import { Gallery } from './gallery.tsx';

/** `/_ui`: every component in every state. Only in development: next.config.js counts `.dev.tsx` as a page only there. */
export default function GalleryPage() {
  return (
    <WithMessages namespaces={['home', 'scope', 'keys']}>
      <Gallery />
    </WithMessages>
  );
}
