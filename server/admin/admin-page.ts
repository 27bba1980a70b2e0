import { createHash } from 'node:crypto';
import { inAr } from '../ledger/spending.ts';
import type { AdminState } from './admin-state.ts';
import { type Html, html } from './html.ts';
import { STYLE } from './style.ts';

const digest = createHash('sha256').update(STYLE).digest('base64');

/** The page loads its own style and nothing else; its forms go to this server. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The page, in English like the other texts for operators. */
export const adminPage = (state: AdminState): string =>
  html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${state.service}: ${state.readiness.status}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<header>
<h1>${state.service}</h1>
${mark(state.readiness.status, STATUS_MARKS[state.readiness.status])}
<p>Version ${state.version}, ${state.url}. Read at ${timeOf(state.at)}.</p>
<nav><a href="/">Refresh</a><a href="/ready">/ready</a><a href="/metrics">/metrics</a><a href="/state.json">/state.json</a></nav>
</header>
<main>
${posting(state)}
${parts(state)}
${wallet(state)}
${processes(state)}
${problems(state)}
</main>
</body>
</html>
`.html;

const STATUS_MARKS = { ready: 'good', degraded: 'caution', unavailable: 'bad' } as const;

const mark = (text: string, kind: 'good' | 'caution' | 'bad'): Html => html`<span class="mark ${kind}">${text}</span>`;

const row = (name: string, value: Html | string | number): Html => html`<dt>${name}</dt><dd>${value}</dd>`;

function posting({ posting: now, readiness: { backlog }, processes }: AdminState): Html {
  const leader = processes.find(({ leads }) => leads);
  const problem = processes.map(({ posting_problem }) => posting_problem).find((each) => each !== null);
  const isPaused = now.paused_since !== null;
  const state = isPaused ? mark('paused', 'caution') : problem ? mark('blocked', 'bad') : mark('posting', 'good');
  const steps = Object.entries(leader?.last_steps ?? {}).map(([loop, at]) =>
    row(`last step: ${loop}`, at === null ? 'none yet' : timeOf(at)),
  );
  return html`<section class="tall">
<h2>Posting to the network</h2>
<dl>
${row('state', html`${state}${isPaused || problem ? html`<p>${problem ?? backlog.problem ?? ''}</p>` : null}`)}
${row('waiting operations', `${backlog.entries ?? 'unknown'} of ${backlog.max_entries}`)}
${row('oldest has waited', backlog.oldest_seconds === null ? 'no operation waits' : duration(backlog.oldest_seconds))}
${row('last bundle posted', now.last_posted_at === null ? 'none yet' : timeOf(now.last_posted_at))}
${row('leader', leader ? `process ${leader.pid}` : 'none of these processes')}
${steps}
</dl>
${isPaused ? form('resume', 'Resume posting', resumeHint(now.due_at)) : form('pause', 'Pause posting', PAUSE_HINT)}
</section>`;
}

const PAUSE_HINT =
  'Operations are still accepted and wait. A bundle that is being posted is completed. Posting stays paused after a restart.';

const resumeHint = (dueAt: string | null): Html =>
  dueAt === null
    ? html`No operation waits.`
    : html`The oldest operation must be in a block by ${timeOf(dueAt)}; later, <code>npm run verify</code> reports a breach.`;

const form = (action: 'pause' | 'resume', label: string, hint: Html | string): Html =>
  html`<form method="post" action="/${action}"><p>${hint}</p><button>${label}</button></form>`;

const PARTS = [
  'database',
  'ledger',
  'limiter',
  'network',
  'wallet',
  'storage',
  'backlog',
  'mail',
  'backups',
  'witnesses',
] as const;

function parts({ readiness }: AdminState): Html {
  const rows = PARTS.flatMap((name) => {
    const part = readiness[name];
    if (!part) return [];
    return [row(name, part.ok ? mark('ok', 'good') : html`${mark('problem', 'bad')}<p>${part.problem ?? ''}</p>`)];
  });
  return html`<section><h2>Parts</h2><dl>${rows}</dl></section>`;
}

function wallet({ spending, readiness: { wallet: held, network, storage } }: AdminState): Html {
  const balance = held.balance_winston;
  const perOperation = spending?.winston_per_operation ?? null;
  return html`<section><h2>Wallet and space</h2><dl>
${row('address', html`<code>${held.address}</code>`)}
${row('network', `${network.kind}, height ${network.height ?? 'unknown'}`)}
${row('balance', balance === null ? 'unknown' : `${inAr(BigInt(balance))} AR`)}
${row('lasts', daysLeftOf(spending))}
${row('price of an operation', perOperation === null ? 'unknown' : `${inAr(BigInt(Math.round(perOperation)))} AR`)}
${row('stored records', `${bytes(storage.used_bytes)} of ${bytes(storage.max_bytes)}`)}
</dl></section>`;
}

function daysLeftOf(spending: AdminState['spending']): string {
  if (spending === null) return 'unknown';
  if (spending.days_left === null) return 'nothing was spent in the last 7 days';
  return `${Math.floor(spending.days_left)} days, at the spending of the last ${duration(Math.round(spending.days * 86_400))}`;
}

const COLUMNS: readonly (readonly [string, (process: AdminState['processes'][number]) => Html | string | number])[] = [
  ['process', ({ pid }) => pid],
  ['uptime', ({ uptime_seconds }) => duration(uptime_seconds)],
  ['leads', ({ leads }) => (leads ? 'yes' : 'no')],
  ['queue', ({ queue_operations }) => queue_operations],
  ['accepted', ({ accepted_operations }) => accepted_operations],
  ['refused', ({ refused_requests }) => refused_requests],
  ['waiting for a connection', ({ connections_waited_for }) => connections_waited_for],
  ['event loop busy', ({ event_loop_busy }) => `${Math.round(event_loop_busy * 100)} %`],
  ['memory', ({ resident_bytes }) => bytes(resident_bytes)],
];

const processes = (state: AdminState): Html => html`<section class="wide"><h2>Processes</h2><table>
<thead><tr>${COLUMNS.map(([name]) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${state.processes.map((process) => html`<tr>${COLUMNS.map(([name, value]) => html`<td data-name="${name}">${value(process)}</td>`)}</tr>`)}
${state.silent_processes.map((pid) => html`<tr><td data-name="process">${pid}</td><td colspan="${COLUMNS.length - 1}">${mark('does not answer', 'bad')}</td></tr>`)}</tbody>
</table></section>`;

function problems({ problems: all }: AdminState): Html {
  const items = all.map(({ at, pid, level, message, details }) => {
    const more = Object.entries(details).map(([name, value]) => `${name} ${value}`);
    const line = [`process ${pid}`, ...more].join(', ');
    return html`<li>${mark(level, level === 'warn' ? 'caution' : 'bad')} ${message}<small>${timeOf(at)}, ${line}</small></li>`;
  });
  const list = items.length === 0 ? html`<p>None since the start.</p>` : html`<ol>${items}</ol>`;
  return html`<section class="wide"><h2>Recent warnings and errors</h2>${list}</section>`;
}

const timeOf = (instant: string): Html =>
  html`<time datetime="${instant}">${instant.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>`;

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

function bytes(count: number | null): string {
  if (count === null) return 'unknown';
  return count < 1e9 ? `${(count / 1e6).toFixed(1)} MB` : `${(count / 1e9).toFixed(1)} GB`;
}
