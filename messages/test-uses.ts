import type { Expression, Node, SourceFile } from 'typescript/unstable/ast';
import { isCallExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is';
import { API, type Type } from 'typescript/unstable/sync';

/** Methods that show a message, besides `t(key)`. */
const METHODS = ['rich', 'markup', 'raw'];

export interface Use {
  /** File and line. */
  readonly location: string;
  /** The namespace of the translator; empty for all messages. */
  readonly section: string;
  /** The possible keys, by the type of the argument; null if it can be any string. */
  readonly keys: readonly string[] | null;
}

/** In every file that has a translator. To visit the others takes ten times as long. */
const TRANSLATES = /[tT]ranslat/;

/** A cast to this type accepts any string as a key. */
const KEY_TYPE = /Parameters<ReturnType<typeof useTranslations<'([\w.]+)'>>>\[0\]|Parameters<typeof t>\[0\]/g;

/** Finds every call of a use-intl translator in the files of the project whose path matches. */
export function usesIn(path: RegExp): { uses: readonly Use[]; sectionsWithKeyType: readonly string[] } {
  const root = process.cwd().replaceAll('\\', '/');
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${root}/tsconfig.json`] }).getProjects();
    if (!project) throw new Error('TypeScript found no project.');
    const { program, checker } = project;
    const names = program.getSourceFileNames().filter((name) => path.test(name.replace(root, '')));
    const files = names
      .flatMap((name) => program.getSourceFile(name) ?? [])
      .filter(({ text }) => TRANSLATES.test(text));
    const calls = files.flatMap(callsIn);
    const types = checker.getTypeAtLocation(calls.map(({ called }) => called));
    const translations = calls.flatMap((call, index) => {
      const type = types[index];
      return type?.getAliasSymbol()?.name === 'Translator' ? [{ ...call, type }] : [];
    });
    const keys = checker.getTypeAtLocation(translations.map(({ key }) => key));
    const uses = translations.map(({ location, type }, index) => ({
      location: location.replace(root, ''),
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
  readonly location: string;
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
      calls.push({ location: `${file.fileName}:${line}`, called: isMethod ? expression.expression : expression, key });
    }
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return calls;
}

/** The string literals that a type allows; null if it allows any string. */
function textsOf(type: Type | undefined): readonly string[] | null {
  if (type?.isStringLiteralType()) return [type.value];
  if (!type?.isUnionType()) return null;
  const parts = type.getTypes().map(textsOf);
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}
