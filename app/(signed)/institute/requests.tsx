'use client';

import { Check, Inbox } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { INTENTS } from '../../../protocol/entities/intents.ts';
import { CATEGORIES } from '../../../protocol/records/taxonomy.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { FormActions } from '../../_ui/form-actions.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Fact } from '../../_ui/scope-summary.tsx';
import { CardSkeleton } from '../../_ui/skeletons.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDay } from '../../_ui/use-day.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { type CertificationDraft, draftOfRequest } from './certification-draft.ts';
import { NothingYet } from './nothing-yet.tsx';
import { type OpenRequest, useRequests } from './use-requests.ts';

type RequestsProps = { onCertify: (draft: CertificationDraft) => void; onDone: (sentence: string) => void };

/** What institutions ask for; shown with a key of the institute. */
export function Requests({ onCertify, onDone }: RequestsProps) {
  const t = useTranslations('institute.requests');
  const { requests, more, isReadingMore, failure, decline } = useRequests();
  return (
    <>
      <Refused failure={failure} />
      {!requests && !failure && <CardSkeleton lines={5} />}
      {requests?.length === 0 && (
        <NothingYet icon={Inbox} title={t('none')}>
          {t('noneWhat')}
        </NothingYet>
      )}
      {requests?.map((request) =>
        request.isSigned ? (
          <RequestCard
            key={request.institution.ieo_id}
            request={request}
            onCertify={() => onCertify(draftOfRequest(request))}
            onDecline={async (reason) => {
              const refused = await decline(request, reason);
              if (!refused) onDone(t('declined', { name: nameOf(request) }));
              return refused;
            }}
          />
        ) : (
          <NotSigned key={request.institution.ieo_id} request={request} />
        ),
      )}
      {more && (
        <Button look="secondary" busy={isReadingMore} onClick={more}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

/** A request whose signature does not fit: nothing of it is shown, and nothing can be decided by it. */
function NotSigned({ request: { institution } }: { request: OpenRequest }) {
  const t = useTranslations('institute.requests');
  return (
    <Alert tone="danger" title={t('notSigned', { domain: institution.domain })} className="max-w-prose">
      <p>{t('notSignedBody')}</p>
    </Alert>
  );
}

const nameOf = ({ institution }: OpenRequest): string => institution.display_name ?? institution.domain;

type RequestCardProps = {
  request: OpenRequest;
  onCertify: () => void;
  onDecline: (reason: string) => ReturnType<ReturnType<typeof useRequests>['decline']>;
};

function RequestCard({ request, onCertify, onDecline }: RequestCardProps) {
  const t = useTranslations('institute.requests');
  const words = useScopeWords();
  const day = useDay();
  const [isDeclining, setDeclining] = useState(false);
  const { institution, level, categories, intents, grounds, requested_at: at } = request;
  return (
    <article className="max-w-prose space-y-3 rounded-lg border border-line bg-surface p-5">
      <h3 className="text-lg break-words">{t('asks', { name: nameOf(request), level })}</h3>
      <dl className="space-y-2">
        <Fact name={t('institution')}>
          <LocalLink href={`/explore/${institution.ieo_id}`} className={textLink}>
            {institution.domain}
          </LocalLink>
          , {words.ieoType(institution.ieo_type)}
        </Fact>
        <Fact name={t('now')}>
          <span className="inline-block first-letter:uppercase">
            {words.certLevel(institution.certification.level)}
          </span>
        </Fact>
        <Fact name={t('intents')}>
          <span className="inline-block first-letter:uppercase">
            {intents.length > 0 ? words.intents(INTENTS.filter((intent) => intents.includes(intent))) : t('every')}
          </span>
        </Fact>
        <Fact name={t('categories')}>
          <span className="inline-block first-letter:uppercase">
            {categories.length > 0
              ? words.categories(CATEGORIES.filter((code) => categories.includes(code)))
              : t('all')}
          </span>
        </Fact>
        <Fact name={t('grounds')}>
          <span className="break-words whitespace-pre-line">{grounds}</span>
        </Fact>
        <Fact name={t('asked')}>
          {day(at)}
          <span className="flex items-center gap-1 text-accent-ink">
            <Check aria-hidden className="size-4 shrink-0" />
            {t('signed')}
          </span>
        </Fact>
      </dl>
      {isDeclining ? (
        <Decline onDecline={onDecline} onCancel={() => setDeclining(false)} />
      ) : (
        <FormActions>
          <Button onClick={onCertify}>{t('certify')}</Button>
          <Button look="secondary" onClick={() => setDeclining(true)}>
            {t('decline')}
          </Button>
        </FormActions>
      )}
    </article>
  );
}

type DeclineProps = Pick<RequestCardProps, 'onDecline'> & { onCancel: () => void };

/** Asks for the reason, which the institution reads. */
function Decline({ onDecline, onCancel }: DeclineProps) {
  const t = useTranslations('institute.requests');
  const [reason, setReason] = useState('');
  const [{ isChecked, isSending, failure }, setStep] = useState<{
    readonly isChecked: boolean;
    readonly isSending: boolean;
    readonly failure: Awaited<ReturnType<DeclineProps['onDecline']>>;
  }>({ isChecked: false, isSending: false, failure: null });
  const isMissing = reason.trim() === '';

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setStep({ isChecked: true, isSending: !isMissing, failure: null });
    if (isMissing) return;
    const refused = await onDecline(reason.trim());
    if (refused) setStep({ isChecked: true, isSending: false, failure: refused });
  };

  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <Field
        label={t('reason')}
        hint={t('reasonHint')}
        error={isChecked && isMissing ? t('noReason') : undefined}
        value={reason}
        onType={setReason}
        limit={500}
        rows={3}
        autoComplete="off"
      />
      <Refused failure={failure} />
      <FormActions>
        <Button type="submit" busy={isSending}>
          {t(isSending ? 'declining' : 'declineNow')}
        </Button>
        <Button look="quiet" onClick={onCancel} disabled={isSending}>
          {t('cancel')}
        </Button>
      </FormActions>
    </form>
  );
}
