/** An environment variable that is no setting, but resembles one. */
export interface UnknownSetting {
  readonly name: string;
  /** The setting that it resembles most. */
  readonly closest: string;
}

/** How names begin that are meant for this service: other programs' variables begin otherwise. */
const OWN =
  /^(ARWEAVE_|BACKUP_|BUNDLE_MAX|CHECKPOINT_|DATABASE_|DEVNET_|MAX_|MIRRORS?_|RELAYER_|SMTP_|TLS_|TRUST_|VAULT_KEY|WEBHOOKS?_|WITNESS(ES)?_)/;

/** What Kubernetes sets for each Service, whatever its name is. */
const OF_KUBERNETES = /_SERVICE_HOST$|_SERVICE_PORT(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/;

/** Variables of other programs that differ little from a setting. */
const OF_OTHERS = /^(SSL_|OTEL_)/;

/** @param names of all settings */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): UnknownSetting[] {
  const known = new Set(names);
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || known.has(name) || isOfOthers(name, value)) return [];
    const [closest] = names
      .map((setting) => ({ setting, distance: editDistance(name, setting) }))
      .sort((one, other) => one.distance - other.distance);
    const resembles = closest && (OWN.test(name) || closest.distance <= mayDiffer(closest.setting));
    return resembles ? [{ name, closest: closest.setting }] : [];
  });
}

const isOfOthers = (name: string, value: string): boolean =>
  OF_KUBERNETES.test(name) || OF_OTHERS.test(name) || (name.endsWith('_PORT') && /^(tcp|udp|sctp):/.test(value));

/** Short names resemble too many others: HOME and HOST differ by two letters. */
const mayDiffer = (setting: string): number => (setting.length >= 8 ? 2 : setting.length >= 6 ? 1 : 0);

/** Levenshtein distance: the least number of letters to insert, remove or replace. */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const line = [row + 1];
    for (const [column, there] of [...other].entries()) {
      const replaced = (above[column] ?? 0) + (letter === there ? 0 : 1);
      line.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
