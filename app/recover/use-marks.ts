'use client';

import { useEffect, useState } from 'react';
import { CERT_LEVELS } from '../../protocol/entities/ieo.ts';
import { INTENTS } from '../../protocol/entities/intents.ts';
import { type Answer, fieldsOf } from '../_session/post.ts';
import type { Marked } from '../_ui/certification-mark.tsx';
import { callApi } from './call-api.ts';
import { textsIn } from './read-consents.ts';

/** The certification marks of institutions, by domain; read one after the other. */
export function useMarks(domains: readonly string[]): ReadonlyMap<string, Marked> {
  const [marks, setMarks] = useState<ReadonlyMap<string, Marked>>(new Map());
  const names = [...new Set(domains)].join(' ');

  useEffect(() => {
    let cancelled = false;
    const readAll = async () => {
      for (const domain of names.split(' ').filter(Boolean)) {
        if (cancelled) return;
        const input = encodeURIComponent(JSON.stringify({ reference: domain }));
        const mark = markIn((await callApi(`/api/trpc/institution?input=${input}`)).answer);
        if (mark && !cancelled) setMarks((before) => new Map(before).set(domain, mark));
      }
    };
    void readAll();
    return () => {
      cancelled = true;
    };
  }, [names]);
  return marks;
}

function markIn(answer: Answer): Marked | null {
  if (!answer.ok) return null;
  const { certified, certification, domain_above: above } = fieldsOf(fieldsOf(answer.body.result).data);
  const { level, granted_at, expires_at, categories, intents } = fieldsOf(certification);
  const certLevel = CERT_LEVELS.find((candidate) => candidate === level);
  if (!certLevel) return null;
  return {
    certified: certified === true,
    certification: {
      level: certLevel,
      granted_at: textOf(granted_at),
      expires_at: textOf(expires_at),
      categories: textsIn(categories),
      intents: INTENTS.filter((intent) => textsIn(intents).includes(intent)),
    },
    domain_above: textOf(above),
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
