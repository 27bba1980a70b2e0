import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../server/config.ts';
import { INSTITUTE_KEYS } from '../../server/platform/data-folder/key-files.ts';

/** A key file that the data directory of a restore should have, because others know the key. */
export interface MissingKey {
  readonly name: string;
  /** What a new key means. */
  readonly otherwise: string;
}

/** The files that a service with these settings would create anew. */
export function missingKeys(config: Config): MissingKey[] {
  // A service whose keys are kept elsewhere creates none.
  const isOwn = (given: string | undefined) => given === undefined && config.RELAYER_KEY_FILE === undefined;
  const createsInstitute = config.INSTITUTE_KEY_DIGESTS === undefined && config.ARWEAVE_GATEWAY_URL === undefined;
  const files = [
    { name: 'webhook.key', isOwn: isOwn(config.WEBHOOK_KEY_FILE), otherwise: 'institutions must switch to a new key' },
    {
      name: 'checkpoint.key',
      isOwn: isOwn(config.CHECKPOINT_KEY_FILE),
      otherwise: 'auditors and witnesses must switch to a new log',
    },
    { name: INSTITUTE_KEYS, isOwn: createsInstitute, otherwise: "the institute's present keys are no longer valid" },
  ];
  return files.filter((file) => file.isOwn && !existsSync(join(config.DATA_DIR, file.name)));
}
