'use client';

import { common } from '../messages/en-common.ts';
import { Button } from './button.tsx';

const text = common.broken;

/** A page that failed: what happened, the reference under which the server logged it, and a way on. */
export function Broken({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null;
  return (
    <div className="page py-16 sm:py-24">
      <h1 className="text-3xl">{text.title}</h1>
      <p className="mt-4 max-w-[38rem] text-lg text-muted">{text.body}</p>
      {digest && (
        <p className="mt-4">
          {text.reference} <code className="font-mono font-semibold">{digest}</code>
        </p>
      )}
      <Button className="mt-8" onClick={retry}>
        {text.retry}
      </Button>
    </div>
  );
}
