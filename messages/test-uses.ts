import type { Expression, Node, SourceFile } from 'typescript/unstable/ast';
import { isCallExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is';
import { API, type Type } from 'typescript/unstable/sync';

/** Besides `t(key)`; `t.has(key)` shows no message. */
const METHODS = ['rich', 'markup', 'raw'];

export interface Use {
  readonly place: string;
  /** What the translator was made for; empty for all messages. */
  readonly section: string;
  /** The keys that the argument can be, by its type; null where it can be any text. */
  readonly keys: readonly string[] | null;
}

/** A cast to this type makes any text a key. */
const KEY_TYPE = /Parameters<ReturnType<typeof useTranslations<'([\w.]+)'>>>\[0\]|Parameters<typeof t>\[0\]/g;

/** Every call of a translator of use-intl in the files of the project whose path matches. */
export function usesIn(path: RegExp): { uses: readonly Use[]; sectionsWithKeyType: readonly string[] } {
  const root = process.cwd().replaceAll('\\', '/');
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${root}/tsconfig.json`] }).getProjects();
    if (!project) throw new Error('TypeScript found no project.');
    const { program, checker } = project;
    const names = program.getSourceFileNames().filter((name) => path.test(name.replace(root, '')));
    const files = names.flatMap((name) => program.getSourceFile(name) ?? []);
    const calls = files.flatMap(callsIn);
    const types = checker.getTypeAtLocation(calls.map(({ called }) => called));
    const translations = calls.flatMap((call, index) => {
      const type = types[index];
      return type?.getAliasSymbol()?.name === 'Translator' ? [{ ...call, type }] : [];
    });
    const keys = checker.getTypeAtLocation(translations.map(({ key }) => key));
    const uses = translations.map(({ place, type }, index) => ({
      place: place.replace(root, ''),
      section: textsOf(type.getAliasTypeArguments()[1])?.[0] ?? '',
      keys: textsOf(keys[index]),
    }));
    const keyTypes = files.flatMap(({ text }) => [...text.matchAll(KEY_TYPE)].map(([all, section]) => section ?? all));
    return { uses, sectionsWithKeyType: [...new Set(keyTypes)].toSorted() };
  } finally {
    api.close();
  }
}

interface Call {
  readonly place: string;
  /** `t` of `t(key)` and of `t.rich(key)`. */
  readonly called: Expression;
  readonly key: Expression;
}

function callsIn(file: SourceFile): readonly Call[] {
  const calls: Call[] = [];
  const visit = (node: Node): void => {
    const key = isCallExpression(node) && node.arguments[0];
    if (isCallExpression(node) && key) {
      const { expression } = node;
      const isMethod = isPropertyAccessExpression(expression) && METHODS.includes(expression.name.text);
      const line = file.text.slice(0, key.end).split('\n').length;
      calls.push({ place: `${file.fileName}:${line}`, called: isMethod ? expression.expression : expression, key });
    }
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return calls;
}

/** The texts that a type allows; null where it allows any. */
function textsOf(type: Type | undefined): readonly string[] | null {
  if (type?.isStringLiteralType()) return [type.value];
  if (!type?.isUnionType()) return null;
  const parts = type.getTypes().map(textsOf);
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}
