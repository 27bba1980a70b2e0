'use client';

import './styles/global.css';
import { Broken } from './ui/broken.tsx';

/** Stands in for the layout itself when that fails, so it brings its own document. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <main>
          <Broken error={error} retry={retry} />
        </main>
      </body>
    </html>
  );
}
