import { toBase64 } from '../../protocol/signing/encoding.ts';
import { frontierRoot } from '../../protocol/transparency/merkle.ts';
import { KINDS } from '../../server/entities/stores.ts';
import type { Gateways } from '../../server/network/gateways.ts';
import { assertedLines, assertedVerdict } from './asserted-recoveries.ts';
import type { Audit } from './audit.ts';
import { treeOf } from './audit-point.ts';
import type { ApiComparison } from './compare-api.ts';
import type { Comparison } from './compare-database.ts';
import { FINDING_KINDS, type Finding, type Findings } from './findings.ts';
import { countGuardians } from './guardian-signatures.ts';
import { KIND_LABELS, numbered, SUBJECT_KINDS } from './kind-labels.ts';
import type { CheckpointResult } from './log-checkpoint.ts';
import type { ReplayedState } from './replayed-state.ts';
import type { LoadedPoint } from './state-folder.ts';
import type { Tally } from './tally.ts';

const MAX_SHOWN = 50;

export interface ReportParts {
  readonly audit: Audit;
  /** The point of an earlier run with which this one began. */
  readonly resumed: LoadedPoint | null;
  /** The duration of the reading from the network. */
  readonly networkSeconds: number;
  readonly ledgerId: string;
  readonly wallet: string;
  readonly gateways: Pick<Gateways, 'urls' | 'faults'>;
  readonly maxDelayMs: number;
  readonly database: Comparison | null;
  readonly api: (ApiComparison & { readonly url: string }) | null;
  /** The checkpoint of the service; null if it has none. */
  readonly checkpoint: CheckpointResult | null;
  readonly peakMemoryBytes: number;
}

/** The result of a verification as text; one line at a time, because there may be many asserted recoveries. */
export function* reportLines(parts: ReportParts): Iterable<string> {
  yield* headingLines(parts);
  yield* onNetwork(parts);
  yield* faultLines(parts.gateways);
  yield* beyondNetwork(parts.audit);
  yield* compared(parts);
  yield* checkpointLines(parts.checkpoint);
  yield* assertedLines(parts.audit.assertedRecoveries);
  yield* resultLines(parts.audit);
}

function headingLines({ ledgerId, wallet, gateways, maxDelayMs }: ReportParts): string[] {
  return [
    `Ledger ${ledgerId}`,
    `  read from ${gateways.urls.join(', ')}, wallet ${wallet}; expected to be posted within ${maxDelayMs / 1000} seconds`,
    '',
  ];
}

/** What gateways did wrong while another one answered, with their addresses. */
export function faultLines({ faults }: Pick<Gateways, 'faults'>): string[] {
  const found = faults();
  if (found.length === 0) return [];
  return [
    'Faults of gateways, which do not change the result because another gateway answered:',
    ...found.map(({ gateway, problem, times }) => `  ${gateway}: ${problem}${times > 1 ? ` (${times} times)` : ''}`),
    '',
  ];
}

function onNetwork({ audit, resumed, networkSeconds, peakMemoryBytes }: ReportParts): string[] {
  const { network, bundles, paidTwice, networkEnd: end } = audit;
  const earlier = resumed?.point.network.entries ?? 0;
  const rate = Math.round((network.entries - earlier) / Math.max(networkSeconds, 0.001));
  const lines = [
    `On the network: ${entries(network.entries)} in ${bundles.mined} bundles${end ? `, epoch ${end.epoch}` : ''}`,
    ...resumedLines(resumed),
    ...tallyLines(network),
    `  ${rate} entries/s over ${networkSeconds.toFixed(1)} s, at most ${Math.round(peakMemoryBytes / 1e6)} MB of memory`,
  ];
  if (bundles.pending.length > 0) lines.push(`  ${bundles.pending.length} bundles are posted but not mined yet`);
  if (paidTwice.length > 0) lines.push(`  ${paidTwice.length} bundles were paid twice: ${list(paidTwice)}`);
  return [...lines, ''];
}

/** What this run did not check itself. */
function resumedLines(resumed: LoadedPoint | null): string[] {
  if (!resumed) return [];
  const { end, network } = resumed.point;
  return [
    `  ${entries(network.entries)}, up to entry ${end.seq} (${end.id}), were verified by the run of ${resumed.verifiedAt}, as the state says`,
    `  (root of their tree: ${toBase64(frontierRoot(treeOf(resumed.point)))});`,
    '  this run checked that the network lists the same bundles for them, and verified those after them',
  ];
}

function beyondNetwork({ beyond, end }: Audit): string[] {
  if (beyond.entries === 0) return [];
  return [
    `Not on the network when it was read: ${entries(beyond.entries)}, read from the service, up to entry ${end?.seq}`,
    ...tallyLines(beyond),
    '',
  ];
}

function tallyLines(tally: Tally): string[] {
  return [
    `  ${tally.verifiedSignatures} user signatures verified`,
    ...(tally.unverifiedSignatures > 0
      ? [`  ${tally.unverifiedSignatures} user signatures NOT verified (see below, or after missing entries)`]
      : []),
    `  ${tally.assertedSignatures} by guardians, relayer-asserted: valid, but the holder has not confirmed their keys in public`,
    `  ${tally.sealed} sealed: signed by the relayer; the user's signature is not public`,
    `  ${tally.institute} by the institute, relayer-asserted: the relayer holds the institute's keys`,
    `  ${tally.relayerOnly} signed by the relayer alone`,
    `  ${recoveries(tally.confirmedRecoveries)} by two guardians that the holder had confirmed in public`,
    `  ${recoveries(tally.assertedRecoveries)} with a guardian that the holder had not confirmed in public, asserted by the relayer`,
    ...(tally.notReplayed > 0 ? [`  ${tally.notReplayed} NOT replayed, because entries before them are missing`] : []),
  ];
}

function compared({ audit, resumed, database, api }: ReportParts): string[] {
  const lines = ['Replayed:', ...stateLines(audit.replay.state)];
  if (!audit.complete) return [...lines, '  not compared, because entries are missing', ''];
  if (database && resumed) {
    lines.push(`  the database’s copies of entries 1 to ${resumed.point.end.seq} were not compared by this run`);
  }
  if (database) {
    lines.push(`  compared with the database: ${numbered(KINDS, (kind) => database.live[kind], 'live ')},`);
    lines.push(
      `  and a hash of the ended entities of each kind: ${numbered(SUBJECT_KINDS, (kind) => database.ended[kind])}`,
    );
  }
  if (api) lines.push(`  compared with ${api.url}: ${api.sampled.map(sampledText).join(', ')}, as a sample`);
  if (!database && !api) lines.push('  not compared with a service (--api)');
  return [...lines, ''];
}

/** The signed checkpoint is quoted whole if it contradicts the entries: together they prove it to anyone. */
function checkpointLines(checkpoint: CheckpointResult | null): string[] {
  if (!checkpoint) return [];
  const { size, cosigned, witnesses, hasRoot, note } = checkpoint;
  return [
    `Checkpoint of the transparency log: ${entries(size)}`,
    hasRoot
      ? '  its root is that of the entries on the network'
      : '  its root is NOT that of the entries on the network:',
    ...(hasRoot
      ? []
      : note
          .slice(0, MAX_NOTE_SHOWN)
          .trimEnd()
          .split('\n')
          .map((line) => `  | ${line}`)),
    witnesses === 0
      ? '  witnesses were not checked (--witness)'
      : `  cosigned by ${cosigned} of ${witnesses} witnesses`,
    '',
  ];
}

const MAX_NOTE_SHOWN = 20_000;

/** The numbers of entities that follow from the ledger. */
export const stateLines = ({ live, endedDigests, withGuardians }: ReplayedState): string[] => [
  `  live: ${numbered(SUBJECT_KINDS, (kind) => live[kind].size)}`,
  `  ended: ${numbered(SUBJECT_KINDS, (kind) => (kind === 'NAME' ? 0 : endedDigests[kind].count))}`,
  ...guardianLines(countGuardians(withGuardians())),
];

const guardianLines = ({ confirmed, asserted }: ReturnType<typeof countGuardians>): string[] => [
  `  ${confirmed} guardians that their holder has confirmed in public`,
  `  ${asserted} guardians, relayer-asserted: their holder has not confirmed their key in public`,
];

const recoveries = (count: number): string => `${count} ${count === 1 ? 'recovery' : 'recoveries'}`;

const sampledText = ({ kind, live, of, ended }: ApiComparison['sampled'][number]): string =>
  `${live} of ${of} live ${KIND_LABELS[kind][1]} and ${ended} ended`;

/** The verdict of an audit. */
export type Verdict = 'clean' | 'breach' | 'asserted';

export const verdictOf = ({ findings, assertedRecoveries }: Audit): Verdict =>
  findings.total > 0 ? 'breach' : assertedRecoveries.total > 0 ? 'asserted' : 'clean';

/** The findings, and a last line if recoveries are only asserted. */
function resultLines({ findings, assertedRecoveries }: Audit): string[] {
  if (assertedRecoveries.total === 0) return findingLines(findings);
  const found = findings.total === 0 ? [] : [...findingLines(findings), ''];
  return [...found, assertedVerdict(assertedRecoveries, findings.total)];
}

/** The number of findings of each kind, and at most `MAX_SHOWN` of them in full. */
export function findingLines(findings: Findings): string[] {
  if (findings.total === 0) return ['No breach was found.'];
  const shown = findings.examples(MAX_SHOWN);
  const kinds = [...findings.counts()].sort(([, a], [, b]) => b - a);
  return [
    `${findings.total} ${findings.total === 1 ? 'BREACH was' : 'BREACHES were'} found:`,
    ...kinds.map(([kind, count]) => `  ${String(count).padStart(7)}  ${kind}: ${FINDING_KINDS[kind]}`),
    '',
    ...shown.map(findingLine),
    ...(findings.total > shown.length ? [`… and ${findings.total - shown.length} more.`] : []),
  ];
}

export const findingLine = ({ kind, seq, id, sentence }: Finding): string =>
  `${seq === null ? '' : `entry ${seq} `}${id === null ? '' : `(${id}) `}${kind}: ${sentence}`;

const entries = (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`;

const list = (ids: readonly string[]): string => `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`;
