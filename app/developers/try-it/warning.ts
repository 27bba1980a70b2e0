import type { TryTarget } from './target.ts';

export interface Warning {
  readonly title: string;
  readonly sentences: readonly string[];
  /** The button that sends. */
  readonly confirm: string;
}

/** What must be confirmed before a request is sent; null if it changes nothing, or cannot be accepted from here. */
export function warningOf({ effect, forInstitute }: TryTarget, isPermanent: boolean): Warning | null {
  if (effect === 'none' || forInstitute) return null;
  if (effect === 'change') {
    return {
      title: 'This request changes something',
      sentences: [
        'It is not a test: if this service accepts it, it takes effect, also for other people whom it concerns.',
      ],
      confirm: 'Send it',
    };
  }
  const ofTheKey =
    'Only the disposable key can change what you create with it. When this page is closed, the key is gone and nobody can.';
  return isPermanent
    ? {
        title: 'Record this permanently?',
        sentences: [
          'If this service accepts the operation, it is published on a permanent ledger. Nobody can ever change or delete the entry, and neither can the operator.',
          ofTheKey,
          'To experiment, use a test network: run the service yourself with the default settings.',
        ],
        confirm: 'Record it permanently',
      }
    : {
        title: 'Record this on the test network?',
        sentences: [
          'If this service accepts the operation, it is published on the ledger, where everybody can read it and nobody can delete it. This is a test network: it is not permanent, and its operator may erase it as a whole.',
          ofTheKey,
        ],
        confirm: 'Record it',
      };
}
