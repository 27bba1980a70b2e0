import type { Metadata } from 'next';
import { ERRORS, type ErrorCode } from '../../../protocol/errors.ts';
import { publicMetadata } from '../../_ui/page-metadata.ts';
import { Code, Text } from '../code.tsx';
import { ErrorList } from '../error-list.tsx';

const TITLE = 'Error codes';
const LEAD = 'Every error has a code for programs. Each code has a page: what happened, and how to fix it.';

export const metadata: Metadata = publicMetadata(TITLE, LEAD);

const EXAMPLE = {
  error: ERRORS.TIMESTAMP_TOO_OLD[1],
  code: 'TIMESTAMP_TOO_OLD',
  details: { server_time: '2026-01-31T12:06:00.000Z' },
  request_id: '4f0c2f6e-8f0b-4c55-9f0e-1d2c3b4a5968',
};

const ALL = (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
  code,
  status: ERRORS[code][0],
  sentence: ERRORS[code][1],
}));
const STATUSES = [...new Set(ALL.map(({ status }) => status))];

/** All error codes by status. */
export default function ErrorsPage() {
  return (
    <div className="max-w-prose">
      <h1>{TITLE}</h1>
      <p className="mt-4 text-lg text-muted">{LEAD}</p>
      <p className="mt-4">
        <Text>
          {
            'Decide by `code`, not by the status or the sentence: sentences can change. `details` is present where it helps. Quote `request_id` when you ask the operator; every response has it in `X-Request-Id` too.'
          }
        </Text>
      </p>
      <div className="mt-4">
        <Code label="An error" code={JSON.stringify(EXAMPLE, null, 2)} />
      </div>
      {STATUSES.map((status) => (
        <section key={status} className="mt-8">
          <h2>Status {status}</h2>
          <ErrorList errors={ALL.filter((error) => error.status === status)} />
        </section>
      ))}
    </div>
  );
}
