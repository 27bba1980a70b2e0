'use client';

import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type FormEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { IeoType } from '../../../protocol/entities/ieo.ts';
import { failureOf } from '../../_trpc/failure.ts';
import { useTRPC } from '../../_trpc/query-provider.tsx';
import { useSentence } from '../../_trpc/refused.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { Field } from '../../_ui/field.tsx';
import { FormActions } from '../../_ui/form-actions.tsx';
import { RadioCards } from '../../_ui/radio-cards.tsx';
import { normalizeReference, suggestedDomain } from '../../_ui/reference.ts';
import { Screen } from '../../_ui/screen.tsx';
import { CardSkeleton } from '../../_ui/skeletons.tsx';
import { useBrowser } from '../../_ui/use-browser.ts';
import { readTyped, writeTyped } from './kept-registration.ts';
import { NOTHING_TYPED, type Registration, type TypedRegistration } from './register-flow.ts';

const LONGEST_NAME = 120;
const TYPES: readonly IeoType[] = ['LAB', 'HOSPITAL', 'PHYSICIAN', 'RESEARCH', 'INSURER', 'WEARABLE', 'PLATFORM'];

export const loadPlaceFields = async () => (await import('./place-fields.tsx')).PlaceFields;
const PlaceFields = deferred(loadPlaceFields, <CardSkeleton lines={3} />);

/** In the order of the fields. */
type Part = 'name' | 'domain' | 'type';

type AboutScreenProps = {
  suffix: string;
  chosen: Registration | null;
  onChoose: (registration: Registration) => void;
};

/** What is registered: the name, the domain with a live check whether it is free, the type, and optional details. */
export function AboutScreen({ suffix, chosen, onChoose }: AboutScreenProps) {
  const t = useTranslations('register');
  const common = useTranslations('common');
  const isReady = useBrowser();
  const form = useRef<HTMLFormElement>(null);
  const nameInput = useRef<HTMLInputElement>(null);
  const domainInput = useRef<HTMLInputElement>(null);
  const [answers, setAnswers] = useState<TypedRegistration>(chosen ?? NOTHING_TYPED);
  /** Null before anything was typed here. Several fields may report at once what was typed before the scripts ran. */
  const latest = useRef<TypedRegistration>(null);
  const { displayName: name, ieoType: type, country, jurisdiction, legalId } = answers;
  const [isPlaceOpen, setPlaceOpen] = useState(() => hasPlace(answers));
  const [nameProblem, setNameProblem] = useState<string | null>(null);
  const [lacks, setLacks] = useState<Part | null>(null);
  /** What the person has sent; it is taken as soon as its domain is known to be free, unless the answers have changed since. */
  const [sent, setSent] = useState<{ from: TypedRegistration; registration: Registration } | null>(null);
  const typed = answers.domain ?? suggestedDomain(name, suffix) ?? '';
  const domain = normalizeReference(typed, suffix);
  const { availability, problem, refetch } = useDomain(domain, suffix);

  useEffect(() => {
    const kept = readTyped();
    if (!kept || latest.current) return;
    setAnswers(kept);
    setPlaceOpen(hasPlace(kept));
  }, []);

  const isWanted = sent?.from === answers && availability?.state === 'free';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as it can be taken
  useEffect(() => {
    if (isWanted) onChoose(sent.registration);
  }, [isWanted]);

  const edit = (changes: Partial<TypedRegistration>) => {
    const edited = { ...(latest.current ?? readTyped() ?? answers), ...changes };
    latest.current = edited;
    setAnswers(edited);
    writeTyped(edited);
    setLacks(null);
  };
  const lack = (part: Part) => {
    setLacks(part);
    if (part === 'name') nameInput.current?.focus();
    if (part === 'domain') domainInput.current?.focus();
    if (part === 'type') form.current?.querySelector<HTMLInputElement>('input[type=radio]')?.focus();
  };

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const displayName = name.trim();
    const misleading = await misleadingIn(displayName);
    const wrong =
      [...displayName].length < 2 ? t('name.short') : misleading && t(`name.${misleading.kind}`, misleading);
    setNameProblem(wrong);
    if (wrong) return lack('name');
    if (domain === '' || (availability && availability.state !== 'free')) return lack('domain');
    if (type === null) return lack('type');
    setSent({
      from: answers,
      registration: {
        domain,
        ieoType: type,
        displayName,
        country,
        jurisdiction: jurisdiction.trim(),
        legalId: legalId.trim(),
      },
    });
    refetch();
  };

  const wrongDomain = problem ?? (domain === '' && lacks === 'domain' ? t('domain.empty') : null);
  const isMisspelt = availability?.state === 'impossible' && availability.code === 'DOMAIN_INVALID';
  const meant = isMisspelt ? suggestedDomain(typed, suffix) : null;
  const takeMeant = () => {
    edit({ domain: meant });
    domainInput.current?.focus();
  };
  return (
    <Screen title={t('about.title')} heading="h1">
      <form ref={form} onSubmit={(event) => void send(event)} noValidate className="mt-4 space-y-6">
        <p>{t('about.lead')}</p>
        <Field
          ref={nameInput}
          label={t('name.label')}
          hint={t('name.lead')}
          error={nameProblem ?? undefined}
          value={name}
          onType={(text) => {
            edit({ displayName: text });
            setNameProblem(null);
          }}
          limit={LONGEST_NAME}
          autoComplete="organization"
        />
        <div className="space-y-3">
          <Field
            ref={domainInput}
            label={t('domain.label')}
            hint={`${t('domain.lead')} ${t('domain.hint', { suffix })}`}
            error={wrongDomain ?? undefined}
            value={typed}
            onType={(text) => edit({ domain: text })}
            autoCapitalize="none"
            autoCorrect="off"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
          />
          <p role="status" className="flex min-h-7 items-center gap-2">
            {wrongDomain && <span className="sr-only">{wrongDomain}</span>}
            {!wrongDomain && domain !== '' && !availability && (
              <span className="text-muted">{t('domain.looking')}</span>
            )}
            {availability?.state === 'free' && (
              <>
                <Check aria-hidden className="size-5 shrink-0 text-accent" />
                <span className="min-w-0 break-words">{t('domain.free', { domain })}</span>
              </>
            )}
          </p>
          {meant && (
            <Button look="secondary" className="max-w-full shrink wrap-anywhere" onClick={takeMeant}>
              {t('domain.meant', { domain: meant })}
            </Button>
          )}
        </div>
        <div className="space-y-3">
          <RadioCards
            legend={t('type.title')}
            options={TYPES.map((value) => ({ value, name: t(`type.${value}.name`), what: t(`type.${value}.what`) }))}
            chosen={type}
            error={lacks === 'type' ? t('type.none') : undefined}
            onChoose={(value) => edit({ ieoType: value })}
          />
          <p className="text-muted">{t('type.lead')}</p>
        </div>
        <details
          className="rounded-md border border-line px-4 py-2"
          open={isPlaceOpen}
          onToggle={({ currentTarget }) => setPlaceOpen(currentTarget.open)}
        >
          <summary className="min-h-11 cursor-pointer py-2 font-semibold">
            {t('about.place')} <span className="font-normal text-muted">({common('optional')})</span>
          </summary>
          {isPlaceOpen && <PlaceFields place={{ country, jurisdiction, legalId }} onChange={edit} />}
        </details>
        <FormActions>
          <Button type="submit" size="large" disabled={!isReady}>
            {t('next')}
          </Button>
        </FormActions>
      </form>
    </Screen>
  );
}

const hasPlace = ({ country, jurisdiction, legalId }: TypedRegistration): boolean =>
  country !== '' || jurisdiction !== '' || legalId !== '';

/** Whether a domain can be taken, and in words why not. */
function useDomain(domain: string, suffix: string) {
  const t = useTranslations('register.domain');
  const sentence = useSentence();
  const trpc = useTRPC();
  const checked = useDeferredValue(domain);
  const { data, error, isFetching, refetch } = useQuery(
    trpc.availability.queryOptions({ domain: checked.slice(0, 100) }, { enabled: checked !== '' }),
  );
  const availability = domain !== '' && checked === domain && !isFetching ? data : undefined;
  const problem = (): string | null => {
    if (domain === '') return null;
    if (error) return sentence(failureOf(error));
    switch (availability?.state) {
      case 'taken':
        return t('taken', { domain });
      case 'impossible':
        return t(availability.code, { suffix });
      default:
        return null;
    }
  };
  return {
    availability,
    problem: problem(),
    /** Asks again where that failed. */
    refetch() {
      if (error) void refetch();
    },
  };
}

/** What in a name misleads its readers; the server checks it as well. */
const misleadingIn = (name: string) =>
  import('../../../protocol/entities/display-names.ts').then(
    ({ findMisleading }) => findMisleading(name),
    () => null,
  );
