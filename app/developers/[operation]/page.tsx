import type { Metadata } from 'next';
import { getContext } from '../../../server/http/context.ts';
import { describedApi } from '../../../server/http/openapi/described.ts';
import { factsOf } from '../../../server/http/openapi/facts.ts';
import { setPageStatus } from '../../../server/http/rest/page-status.ts';
import { Breadcrumbs } from '../../_ui/breadcrumbs.tsx';
import { publicMetadata } from '../../_ui/page-metadata.ts';
import { textLink } from '../../_ui/text-link.ts';
import { Text } from '../code.tsx';
import { ErrorList } from '../error-list.tsx';
import { exampleRequest } from '../snippets/example-request.ts';
import { tryTarget } from '../try-it/target.ts';
import { TryIt } from '../try-it/try-it.tsx';
import { Unknown } from '../unknown.tsx';
import { Answers } from './answers.tsx';
import { Examples } from './examples.tsx';
import { Facts } from './operation-facts.tsx';
import { RequestTable } from './request-table.tsx';
import { SignedMessage } from './signed-message.tsx';

type OperationPageProps = { params: Promise<{ operation: string }> };

const find = (id: string) => describedApi().operations.find((operation) => operation.id === id);

export async function generateMetadata({ params }: OperationPageProps): Promise<Metadata> {
  const operation = find((await params).operation);
  return operation ? publicMetadata(operation.title, `${operation.method} ${operation.path}`) : {};
}

/** One request that the API accepts. */
export default async function OperationPage({ params }: OperationPageProps) {
  const operation = find((await params).operation);
  if (!operation) {
    setPageStatus(404);
    return <Unknown title="There is no such request" list="All requests" href="/developers" />;
  }
  const { operations, components } = describedApi();
  const request = exampleRequest(operation, operations);
  const { title, description, method, path, tag } = operation;
  const { publicUrl, ledgerId, network, config } = getContext();
  const url = publicUrl();
  return (
    <>
      <Breadcrumbs label="You are here" trail={[{ name: 'API reference', href: '/developers' }]} here={title} />
      <h1 className="mt-4">{title}</h1>
      <p className="mt-3 font-mono text-sm break-all" translate="no">
        <strong>{method}</strong> {path}
      </p>
      <a href="#try-it" className={`${textLink} mt-2 inline-flex min-h-11 items-center unscripted:hidden`}>
        Try it
      </a>
      {description && (
        <p className="mt-4 max-w-prose text-lg text-muted">
          <Text>{description}</Text>
        </p>
      )}
      <Facts facts={[['Subject', tag], ...factsOf(operation)]} />
      <RequestTable operation={operation} components={components} />
      <SignedMessage operation={operation} request={request} />
      <Examples operation={operation} request={request} url={url} />
      <TryIt
        key={operation.id}
        target={tryTarget(operation, request)}
        service={{ url, ledgerId, suffix: config.DOMAIN_SUFFIX, isPermanent: network.kind === 'arweave' }}
      />
      <Answers operation={operation} components={components} />
      <section className="mt-10">
        <h2>Errors</h2>
        <ErrorList errors={operation.errors} withStatus />
      </section>
    </>
  );
}
