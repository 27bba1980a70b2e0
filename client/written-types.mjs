import { API, SymbolFlags, TypeFlags } from 'typescript/unstable/sync';

// The names of a type that stay names: Json is recursive.
const NAMES = ['Json'];

/**
 * The exported types of a module, written out with the compiler's own knowledge of them, so that they need no other module: brands
 * become strings, and names their meaning. Every member and list is read-only, and has its doc comment or description.
 * @param config path of the tsconfig.json whose project has the module
 * @param describe returns the description of a member, given the names of all members and its own
 */
export function writtenTypes(config, file, describe) {
  const api = new API();
  try {
    const { checker, program } = api.updateSnapshot({ openProject: config }).getProject(config);
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
    const types = symbols.map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]);
    const textOf = createWriter(checker, new Map(types.map(([name, type]) => [type.id, name])), describe);
    const docs = new Map(symbols.map((symbol) => [symbol.name, docComment(symbol.getDocumentationComment(checker))]));
    return types.map(([name, type]) => `${docs.get(name)}export type ${name} = ${textOf(type, name)};`).join('\n');
  } finally {
    api.close();
  }
}

const docComment = (text) => (text ? `/** ${text.replace(/\s+/g, ' ').replaceAll('*/', '*∕')} */ ` : '');

/** @param own the exported types by their id, which refer to each other by name */
function createWriter(checker, own, describe) {
  /** @param path where the type is, for errors; a type at the top is written out even if it has a name */
  function textOf(type, path) {
    const isTop = own.get(type.id) === path;
    const name = own.get(type.id) ?? type.getAliasSymbol()?.name;
    if (!isTop && (own.has(type.id) || NAMES.includes(name))) return name;
    if (type.isUnionType()) return unionText(type.getTypes(), path);
    if (type.isLiteralType()) return JSON.stringify(type.value);
    if (type.isIntrinsicType() && type.intrinsicName !== 'any') return type.intrinsicName;
    if (type.isIntersectionType() && type.getTypes().some(({ flags }) => flags & TypeFlags.String)) return 'string';
    if (checker.isArrayType(type)) return `readonly (${textOf(checker.getTypeArguments(type)[0], path)})[]`;
    if (type.isIntersectionType() || isPlainObject(type)) return objectText(type, path);
    throw new Error(`The type of ${path} cannot be written out: ${checker.typeToString(type)}`);
  }

  const isPlainObject = (type) =>
    type.isObjectType() && !checker.isTupleType(type) && checker.getSignaturesOfType(type, 0).length === 0;

  function unionText(types, path) {
    const texts = new Set(types.map((type) => textOf(type, path)));
    if (texts.has('true') && texts.delete('false')) {
      texts.delete('true');
      texts.add('boolean');
    }
    return [...texts].join(' | ');
  }

  function objectText(type, path) {
    const indexes = checker
      .getIndexInfosOfType(type)
      .map(({ keyType, valueType }) => `readonly [key: ${textOf(keyType, path)}]: ${textOf(valueType, path)};`);
    const properties = checker.getPropertiesOfType(type);
    const names = properties.map(({ name }) => name);
    const members = properties.map((member) => {
      const at = `${path}.${member.name}`;
      const isOptional = (member.flags & SymbolFlags.Optional) !== 0;
      const doc = docComment(member.getDocumentationComment(checker) || describe(names, member.name));
      return `${doc}readonly ${JSON.stringify(member.name)}${isOptional ? '?' : ''}: ${textOf(checker.getTypeOfSymbol(member), at)};`;
    });
    return `{ ${[...indexes, ...members].join(' ')} }`;
  }

  return textOf;
}
