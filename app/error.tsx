'use client';

import { Broken } from './ui/broken.tsx';

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <Broken error={error} retry={retry} />;
}
