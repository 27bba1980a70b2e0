import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { textLink } from '../../_ui/text-link.ts';
import type { TrySession } from './try-session.ts';

/** The key that signs: whose it is, and how long it lasts. */
export function DisposableKey({ session: { key, ids }, onRenew }: { session: TrySession; onRenew: () => void }) {
  const hasIds = Object.keys(ids).length > 0;
  return (
    <div className="rounded-md border border-line bg-surface p-4">
      <h3>Disposable key</h3>
      <p className="mt-1 text-sm">
        Made in this browser and stored nowhere. It is gone when you close or reload the page. Never enter a key of your
        own in this form.
      </p>
      <p className="mt-2 text-sm">
        Public key:{' '}
        <code translate="no" className="font-mono break-all">
          {key.publicKey}
        </code>
      </p>
      <p className="mt-2 text-sm text-muted">
        {hasIds ? (
          'The forms begin with the ids of what you created with this key.'
        ) : (
          <>
            No identity or institution has this key yet. Create{' '}
            <LocalLink href="/developers/createBEO" className={textLink}>
              an identity
            </LocalLink>{' '}
            or{' '}
            <LocalLink href="/developers/createIEO" className={textLink}>
              an institution
            </LocalLink>{' '}
            with it, and the other forms begin with its id.
          </>
        )}
      </p>
      <Button look="secondary" className="mt-3" onClick={onRenew}>
        New key
      </Button>
    </div>
  );
}
