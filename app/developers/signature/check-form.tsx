'use client';

import { type FormEvent, useRef, useState } from 'react';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { Select } from '../../_ui/select.tsx';
import { Code, Text } from '../code.tsx';
import { TextArea } from '../text-area.tsx';
import type { Diagnosis } from './diagnose.ts';
import type { SignedFunction } from './signed-function.ts';

type CheckFormProps = {
  functions: readonly SignedFunction[];
  /** A request that is valid. */
  example: { readonly functionId: string; readonly body: string; readonly publicKey: string };
  /** Of this service. */
  ledgerId: string;
};

/** Checks a signature in the browser: nothing that is entered is sent. */
export function CheckForm({ functions, example, ledgerId }: CheckFormProps) {
  const [diagnosis, setDiagnosis] = useState<Diagnosis | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const result = useRef<HTMLDivElement>(null);

  const check = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? '').replaceAll('\r\n', '\n');
    const { diagnose } = await import('./diagnose.ts');
    const signedFunction = functions.find(({ id }) => id === text('function')) ?? functions[0];
    if (!signedFunction) return;
    setDiagnosis(
      diagnose({
        signedFunction,
        body: text('body'),
        publicKey: text('publicKey'),
        signedMessage: text('message'),
        ledgerId,
      }),
    );
    requestAnimationFrame(() => result.current?.focus());
  };

  const fill = () => {
    const elements = form.current?.elements;
    const set = (name: string, value: string) => {
      const element = elements?.namedItem(name) as HTMLInputElement | null;
      if (element) element.value = value;
    };
    set('function', example.functionId);
    set('body', example.body);
    set('publicKey', example.publicKey);
    set('message', '');
    setDiagnosis(null);
  };

  return (
    <>
      <form ref={form} onSubmit={check} className="mt-6 max-w-prose space-y-6 unscripted:hidden">
        <Select label="Request" name="function">
          {functions.map(({ id, title, function: name }) => (
            <option key={id} value={id}>
              {name}: {title}
            </option>
          ))}
        </Select>
        <TextArea
          label="Body"
          hint="The JSON that you send, with its signature. For a signed GET, and where a member is in the path: one JSON object with all members."
          name="body"
          required
        />
        <Field
          label="Public key"
          hint="64 hex characters. Never enter a secret key or a seed."
          name="publicKey"
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          required
        />
        <TextArea
          label="Message that you signed (optional)"
          hint="Leave it empty at first: the usual mistakes are found without it. Otherwise paste the text that your program prints just before it signs, every character of it."
          name="message"
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit">Check the signature</Button>
          <Button look="secondary" onClick={fill}>
            Fill in an example
          </Button>
        </div>
      </form>
      <p className="mt-6 hidden max-w-prose unscripted:block">
        The check runs in your browser and needs scripts. Without them, follow the steps below.
      </p>
      <div ref={result} tabIndex={-1} aria-live="polite" className="mt-8 max-w-prose focus:outline-none">
        {diagnosis && <Outcome diagnosis={diagnosis} />}
      </div>
    </>
  );
}

function Outcome({ diagnosis }: { diagnosis: Diagnosis }) {
  if (diagnosis.state === 'unreadable') return <Alert tone="danger">{diagnosis.problem}</Alert>;
  const { isValid, findings, message, sha256, difference, isFound } = diagnosis;
  return (
    <section className="space-y-4">
      <h2>Result</h2>
      <Alert
        tone={isValid ? 'info' : 'danger'}
        title={isValid ? 'The signature is valid.' : 'The signature is not valid.'}
      >
        <ul className="list-disc pl-5">
          {findings.map((finding) => (
            <li key={finding}>
              <Text>{finding}</Text>
            </li>
          ))}
        </ul>
      </Alert>
      {difference && (
        <div className="space-y-4">
          <p>
            The messages differ first at byte {difference.offset}, counted from 0.
            {isFound && ' What you signed was worked out from the key, the signature and the request.'}
          </p>
          <Code label="The service verifies" code={difference.expected} wrap />
          <Code label="You signed" code={difference.given} wrap />
        </div>
      )}
      <Code label="Message that the service verifies" code={message} wrap />
      <p className="text-sm wrap-anywhere">
        SHA-256, as in <Text>{'`details.message_sha256`'}</Text>: <code translate="no">{sha256}</code>
      </p>
    </section>
  );
}
