import type { Language } from '../../../messages/languages.ts';

/** Neutral words in letters that a domain may have. */
export const NAME_WORDS: Record<Language, readonly string[]> = {
  en: (
    'acorn almond amber anchor apple basket beach birch bridge bronze candle canyon cedar cherry clay cloud clover copper coral ' +
    'cotton desert dune ember falcon feather fern field forest garden ginger granite harbor hazel heron honey island ivory jasmine ' +
    'kite lagoon lake lantern lemon lilac linen maple marble meadow mint moon moss olive orchard otter pearl pebble pepper pine ' +
    'planet plum pond prairie quartz raven reef ribbon river saffron sail sand shell silver sparrow spruce stone summit thistle ' +
    'tulip valley velvet walnut willow winter'
  ).split(' '),
  'pt-BR': (
    'abacate areia arroz aveia azeite barco bambu brisa cacau caju canela canoa carvalho cedro cereja chuva colina concha coral ' +
    'corda cravo duna estrela farol figo flor floresta folha fonte garoa girassol goiaba gruta hortela ilha inverno ipe jangada ' +
    'jardim jasmim lagoa laranja lenha limao linho lua madeira manga mar marfim mato mel milho montanha musgo neblina nuvem oliva ' +
    'onda orvalho palha palmeira pedra pera pinha planeta ponte praia prata primavera quartzo ramo rio rocha sabia seda serra sol ' +
    'tambor tecido tijolo trigo uva vale vela vento verao'
  ).split(' '),
  es: (
    'abeto aceite algodon almendra ambar arena arroz avena bambu barco brisa brote cacao camino canela canoa carbon cedro cereza ' +
    'cobre colina coral corcho cuerda duna encina enero estrella faro fresa fuego fuente garza girasol gruta haya hierba higo hoja ' +
    'huerta isla invierno jardin jazmin lago laurel lino limon lirio lluvia luna madera mapa mar marfil menta miel monte musgo nieve ' +
    'nogal nube oliva olmo onda otono palma pera perla piedra pino planeta playa plata pradera prado puente rama rio roble roca ' +
    'salvia seda selva sol tejado trigo uva valle vela viento'
  ).split(' '),
};
