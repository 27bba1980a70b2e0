import type { ChaosReport, RoundReport } from './run-rounds.ts';

/** One line about a round, for the terminal. */
export function roundLine({ round, layout, disturbances, operations, problems, seconds }: RoundReport): string {
  const { sent, acknowledged, unknown, found } = operations;
  const verdict = problems.length === 0 ? 'ok' : `BROKEN: ${problems.length}`;
  return [
    `round ${round}, ${seconds.toFixed(1)} s, ${layout}: ${verdict}`,
    `  ${sent} operations, ${acknowledged} acknowledged, ${unknown} without a response, of which ${found} were in the ledger`,
    `  ${disturbances.join('; ') || 'no disturbance'}`,
    ...problems.map(({ invariant, sentence }) => `  ${invariant}: ${sentence}`),
  ].join('\n');
}

export const problemsOf = ({ rounds }: ChaosReport): number =>
  rounds.reduce((sum, { problems }) => sum + problems.length, 0);

/** The lines that end a run. */
export function summaryLines(report: ChaosReport): string[] {
  const total = (value: (round: RoundReport) => number) => report.rounds.reduce((sum, round) => sum + value(round), 0);
  const most = (value: (round: RoundReport) => number) => Math.max(0, ...report.rounds.map(value));
  const broken = report.rounds.filter(({ problems }) => problems.length > 0);
  return [
    `${report.rounds.length} rounds with seed ${report.seed} in ${(report.seconds / 60).toFixed(1)} minutes, against ${report.deployments} deployments of up to ${report.deploymentRounds} rounds`,
    `${total(({ operations }) => operations.sent)} operations sent, ${total(({ operations }) => operations.acknowledged)} acknowledged, ${total(({ operations }) => operations.unknown)} without a response, of which ${total(({ operations }) => operations.found)} were in the ledger`,
    `${report.entries} entries in the ledger, ${total(({ exports }) => exports)} exports during the load`,
    `rate limit: ${total(({ limit }) => limit.allowed)} requests allowed, ${total(({ limit }) => limit.refused)} refused, ${total(({ limit }) => limit.failed)} without a decision`,
    `${total(({ disturbances }) => disturbances.length)} disturbances of ${Object.values(report.disturbances).filter((times) => times > 0).length} kinds; ${Object.keys(report.disturbances).length} are known`,
    `memory after a garbage collection: at most ${megabytes(most(({ memory }) => memory.usedBytes))} MB in one process; it grew by at most ${megabytes(most(({ memory }) => memory.grownBytes))} MB after a process's first round`,
    ...report.missing.map((reason) => `not possible here: ${reason}`),
    broken.length === 0
      ? `all ${report.invariants.length} invariants held after every round`
      : `${problemsOf(report)} breaches in the rounds ${broken.map(({ round }) => round).join(', ')}; repeat one with --seed ${report.seed} --deployment-rounds ${report.deploymentRounds} --first ROUND --rounds 1`,
    ...(report.logs ? [`the logs are in ${report.logs}`] : []),
  ];
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
