'use client';

import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import type { ComponentProps } from 'react';

/** The address with the language of the current page. */
function inLanguage(href: string, lang: string | null): string {
  if (!lang) return href;
  const [path = '', fragment] = href.split('#', 2);
  const [base = '', search = ''] = path.split('?', 2);
  const parameters = new URLSearchParams(search);
  parameters.set('lang', lang);
  return `${base}?${parameters}${fragment ? `#${fragment}` : ''}`;
}

/** A link within this site that keeps the chosen language. */
export function LocalLink({ href, ...rest }: Omit<ComponentProps<typeof Link>, 'href'> & { href: string }) {
  const lang = useSearchParams().get('lang');
  return <Link href={inLanguage(href, lang)} prefetch={false} {...rest} />;
}

/** Navigates within this site and keeps the chosen language. */
export function useGo(): (href: string) => void {
  const router = useRouter();
  const lang = useSearchParams().get('lang');
  return (href) => router.push(inLanguage(href, lang));
}
