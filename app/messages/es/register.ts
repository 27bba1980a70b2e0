/** Registering an institution. */
export default {
  title: 'Inscribir una institución',
  step: 'Paso {step, number} de {steps, number}',
  back: 'Volver',
  next: 'Continuar',

  domain: {
    title: '¿Cuál será su dominio aquí?',
    lead: 'Las personas que le dan un consentimiento ven este nombre. Es público y pertenece a la institución para siempre: nunca se da a nadie más, ni siquiera cuando la institución ya no exista.',
    label: 'Dominio',
    hint: 'Letras minúsculas de la a a la z, cifras y guiones, como santa-clara.{suffix}',
    empty: 'Escriba un dominio.',
    looking: 'Comprobando si está libre …',
    free: '{domain} está libre.',
    taken: '{domain} ya está ocupado. Elija otro.',
    resting: '{domain} quedó libre hace poco. Se podrá usar de nuevo a partir de las {time}.',
    DOMAIN_INVALID:
      'Eso no puede ser un dominio. Sus partes se componen de las letras de la a a la z, cifras y guiones que no estén ni al principio ni al final; tiene como máximo 64 caracteres y termina en .{suffix}',
    DOMAIN_RESERVED: 'Una parte de este dominio está reservada. Elija otro.',
  },

  type: {
    title: '¿Qué tipo de institución es?',
    lead: 'De ello depende lo que un consentimiento puede permitir, y no se puede cambiar después. Todo necesita el consentimiento de la persona; el tipo por sí solo no da derecho a nada.',
    group: 'Tipo de institución',
    none: 'Elija un tipo.',
    LAB: { name: 'Laboratorio', what: 'Puede añadir y leer registros, donde un consentimiento lo permita.' },
    HOSPITAL: {
      name: 'Hospital o clínica',
      what: 'Puede añadir y leer registros, donde un consentimiento lo permita.',
    },
    PHYSICIAN: {
      name: 'Médico o médica',
      what: 'Un solo profesional o consultorio. Puede añadir y leer registros, donde un consentimiento lo permita.',
    },
    WEARABLE: {
      name: 'Fabricante de dispositivos',
      what: 'Puede añadir lo que miden sus dispositivos, y nada más. Nunca puede leer registros.',
    },
    INSURER: {
      name: 'Aseguradora',
      what: 'Puede añadir y leer registros, donde un consentimiento lo permita. Todo consentimiento que recibe debe tener un final.',
    },
    RESEARCH: {
      name: 'Institución de investigación',
      what: 'Puede añadir y leer registros, donde un consentimiento lo permita.',
    },
    PLATFORM: {
      name: 'Plataforma de salud',
      what: 'Puede leer registros, donde un consentimiento lo permita. Nunca puede añadir ninguno.',
    },
  },

  name: {
    title: '¿Cómo se llama?',
    lead: 'Las personas leen este nombre antes de dar un consentimiento. Escríbalo como ellas lo conocen.',
    label: 'Nombre de la institución',
    hint: 'De 2 a 120 caracteres.',
    short: 'Escriba un nombre de al menos 2 caracteres.',
    invisible: 'El nombre tiene caracteres que no se ven. Escríbalo de nuevo a mano.',
    styled: '«{word}» tiene letras que solo parecen de la a a la z. Escríbalo con letras comunes.',
    mixed: '«{word}» mezcla letras de alfabetos distintos. Escriba cada palabra en un solo alfabeto.',
    more: 'Si quiere decir dónde está registrada. Lo que deje en blanco queda fuera.',
    country: 'País',
    jurisdiction: 'Jurisdicción',
    jurisdictionHint: 'Dónde está su supervisión: un estado, una federación, una autoridad.',
    legalId: 'Número de registro',
    legalIdHint: 'Como en el registro público: número fiscal o mercantil.',
  },

  public: {
    title: 'Esto se hace público, para siempre',
    lead: 'La inscripción se escribe en un registro público y permanente. Mírelo una vez más:',
    domain: 'Dominio',
    type: 'Tipo',
    name: 'Nombre',
    country: 'País',
    jurisdiction: 'Jurisdicción',
    legalId: 'Número de registro',
    key: 'Clave pública',
    keyWhat: 'La mitad pública de la clave que se creará en el paso siguiente',
    stays:
      'Cualquiera puede leerlo. Destruir la institución más tarde borra nombre, país, jurisdicción, número y clave de este servicio, pero no del registro público.',
    later:
      'También será público, más adelante: qué consentimientos recibe y de quién, cuántos registros envía y cuándo, y qué decide el instituto sobre ella. Lo que dicen los registros, no.',
    uncertified: 'Empieza sin certificación. Solo el instituto certifica.',
    person:
      '¿Es una sola persona, como un médico? Entonces son datos personales. Publique solo lo que ya es público de todos modos.',
    yes: 'Es correcto, crear la clave',
    change: 'Cambiar algo',
  },

  key: {
    making: 'Creando la clave',
    makingBody: 'Un momento, por favor.',
    failed: 'No se pudo crear la clave',
    failedBody: 'Una parte de esta página no se cargó. Compruebe su conexión y cargue la página de nuevo.',
    kept: 'Usted ya tiene una copia de la clave',
    keptBody: 'Hizo una copia cuando empezó aquí antes. Es la misma clave.',
    again: 'Hacer otra copia',
    forgetful: 'Este navegador olvida',
    forgetfulBody:
      'No nos deja guardar nada, quizá porque es una ventana privada. No cierre ni recargue esta página antes de terminar.',
  },

  browser: {
    lead: '{domain} está inscrita. Para trabajar con ella aquí, este navegador también guarda su clave.',
    later: 'No en este navegador',
  },

  send: {
    title: 'Inscribir {domain}',
    lead: 'Desde ahora cualquiera puede verla. No se puede deshacer.',
    yes: 'Inscribirla ahora',
    sending: 'Inscribiendo {domain} …',
    taken: 'Alguien ha tomado {domain} entretanto. Elija otro dominio, para el que se creará una clave nueva.',
    anotherDomain: 'Elegir otro dominio',
  },
};
