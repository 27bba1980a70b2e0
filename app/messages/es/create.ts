import type english from '../en/create.ts';

export default {
  title: 'Crear una identidad',
  name: {
    title: '¿Cómo se va a llamar su identidad?',
    lead: 'Este nombre es público para siempre y no se puede cambiar. Por eso no debería decir nada de usted.',
    label: 'Nombre',
    hint: 'Letras de la a a la z, cifras y guiones. Termina en .{suffix}',
    another: 'Sugerir otro',
    looking: 'Viendo si está libre …',
    free: '{domain} está libre.',
    empty: 'Escriba un nombre o pida una sugerencia.',
    taken: '{domain} ya está en uso. Elija otro.',
    resting: '{domain} quedó libre hace poco. Se podrá tomar de nuevo a partir de {at}.',
    DOMAIN_INVALID:
      'Un nombre tiene letras de la a a la z, cifras y guiones, ningún guion en los extremos y, con .{suffix}, 64 caracteres como máximo.',
    DOMAIN_RESERVED: 'Este nombre contiene una palabra reservada. Elija otro.',
    lostTitle: '{domain} ya está en uso',
    lost: 'Otra persona fue más rápida. Elija otro nombre; su clave sigue siendo la misma.',
    next: 'Continuar',
    whyTitle: '¿Por qué no su propio nombre?',
    why: 'Todos pueden ver a qué instituciones da consentimiento un nombre, y cuándo. Mientras nadie sepa que el nombre es suyo, eso no dice nada de usted. Dígaselo solo a quien lo necesite.',
  },
  public: {
    title: 'Lo que se hace público para siempre',
    lead: 'Toda identidad está en un registro público que nadie puede cambiar ni borrar, nosotros tampoco.',
    yesTitle: 'Todos pueden ver',
    name: 'el nombre {domain} y cuándo se creó',
    key: 'su clave pública, con la que todos pueden comprobar lo que usted ha firmado',
    confirmed:
      'que los guardianes solo cuentan después de que usted mismo los confirme. Se firma una vez y no se puede deshacer',
    later: 'lo que firme más adelante: a qué institución da consentimiento, para qué tipo de datos y cuándo lo retira',
    noTitle: 'Nadie puede ver allí',
    you: 'quién es usted: no se le pide nombre, dirección ni teléfono',
    records: 'sus registros de salud',
    guardians: 'los nombres de sus guardianes',
    forEver: 'Aunque un día destruya la identidad, estas anotaciones permanecen.',
    next: 'Entiendo, crear mi clave',
  },
  key: {
    making: 'Creando su clave',
    makingBody: 'Se crea en este navegador y nunca sale de él.',
    failed: 'Este navegador no puede crear una clave',
    failedBody:
      'Abra esta página de nuevo en un navegador actualizado, en este u otro dispositivo. No se ha perdido nada.',
    kept: 'Su clave está guardada',
    keptBody: 'Usted tiene su propia copia y puede continuar. Si quiere, guarde una segunda copia en otro lugar.',
    again: 'Guardar otra copia',
    otherName:
      'La clave sigue siendo la misma, pero el archivo que guardó dice {before}. Guarde también una copia para {domain}.',
  },
  here: {
    created: '{domain} ya está creada. Solo falta guardar su clave en este navegador.',
  },
  send: {
    title: '¿Crear {domain} ahora?',
    lead: 'Todo está listo. Hasta ahora no ha salido nada de este dispositivo, salvo la pregunta de si el nombre está libre.',
    signs: 'Su clave firma el nombre {domain} y su clave pública, y ambos se hacen públicos para siempre.',
    confirmed:
      'También firma que los guardianes solo cuentan después de que usted mismo los confirme. Sin eso, este servicio podría aceptar una invitación en lugar de otra persona. Es público y no se puede deshacer.',
    yes: 'Crear la identidad',
    sending: 'Creándola …',
    safe: 'Su clave y su nombre siguen aquí. Inténtelo de nuevo: nada se hace dos veces.',
  },
  done: {
    title: '{domain} es suya',
    lead: 'Vale desde ahora. Dentro de un rato también será definitiva en el registro público; no hace falta esperar.',
    next: 'Qué puede hacer ahora',
    guardians: 'Elegir guardianes',
    guardiansWhat:
      'Dos o tres personas que pueden darle una clave nueva si pierde la suya. Cuentan cuando usted haya comparado con ellas seis palabras y las haya confirmado. Mejor hoy mismo.',
    open: 'Queda una cosa: su firma de que los guardianes solo cuentan después de que usted los confirme no llegó. Sus páginas se la ofrecen otra vez.',
    consent: 'Dar un consentimiento',
    consentWhat: 'Permita que una institución vea o añada ciertos datos, durante el tiempo que usted quiera.',
    pages: 'Ver sus páginas',
    pagesWhat: 'Todo sobre su identidad en un solo lugar.',
  },
  forgetful: {
    title: 'Este navegador no guarda nada',
    body: 'Puede estar en modo privado. Deje esta página abierta hasta terminar.',
  },
} satisfies typeof english;
