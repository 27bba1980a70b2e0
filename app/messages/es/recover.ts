import type english from '../en/recover.ts';

export default {
  title: '¿Perdió su clave?',
  start: {
    title: '¿Perdió su clave?',
    lead: 'Dos de sus guardianes, juntos, pueden dar una clave nueva a su identidad. Solo necesita su dominio.',
    calm: 'Tómese su tiempo. Nada cambia hasta que dos guardianes confirmen, y puede parar cuando quiera.',
    label: 'El dominio de su identidad',
    hint: 'Termina en .{suffix}. Esa parte puede dejarla fuera.',
    submit: 'Continuar',
  },
  unfinished: {
    title: 'Usted ya ha empezado',
    body: 'Este navegador recuerda la recuperación de {domain}. No se ha perdido nada.',
    resume: 'Seguir donde lo dejé',
  },
  malformed: {
    error:
      '«{reference}» no puede ser un dominio. Un dominio se compone de letras de la a a la z, cifras, guiones y puntos, y termina en .{suffix}.',
  },
  nobody: {
    error:
      'No existe ninguna identidad {reference}. ¿Están bien todas las letras? Una identidad que su titular ha cerrado ya no tiene dominio.',
  },
  unavailable: {
    title: 'No se ha podido buscar',
    body: 'El servicio no responde en este momento. No se ha perdido nada. Espere un minuto e inténtelo de nuevo.',
  },
  destroyed: {
    title: 'Esta identidad se ha cerrado',
    body: 'Su titular la cerró para siempre, y nadie puede devolverla, ni siquiera sus guardianes. Puede empezar una identidad nueva.',
  },
  helpless: {
    title: 'Los guardianes no pueden recuperar {domain}',
    what: '{guardians, plural, =0 {No tiene ningún guardián que cuente, y hacen falta dos.} other {Tiene un guardián que cuenta, y hacen falta dos.}}',
    counts:
      'Un guardián cuenta cuando ha aceptado la invitación. Si usted confirmó a alguno de sus guardianes, solo cuentan los que confirmó.',
    todo: 'Lo que aún puede hacer',
    pending:
      'Alguien a quien invitó todavía no ha aceptado. Pídale que abra su enlace y acepte, y después vuelva a cargar esta página.',
    look: 'Busque su clave: un archivo cuyo nombre empieza por perpetua y termina en .json, o 24 palabras en papel o en una tarjeta impresa.',
    devices: 'Pruebe en todos los navegadores y dispositivos en los que haya usado esta identidad.',
    otherwise:
      'Sin la clave y sin dos guardianes esta identidad no se puede recuperar. Hoy es duro, pero es también lo que deja fuera a los extraños. Puede empezar una identidad nueva.',
  },
  found: {
    title: 'Una clave nueva para {domain}',
    lead: '{guardians, plural, =2 {Tiene dos guardianes que pueden ayudar, y los dos deben confirmar.} other {Tiene {guardians, number} guardianes que pueden ayudar. Dos de ellos deben confirmar.}}',
    lockedTitle: 'Está bloqueada',
    locked: 'Aun así puede recuperarla. Sigue bloqueada hasta que la desbloquee con su clave nueva.',
    underwayTitle: 'Ya hay una recuperación en marcha',
    underway:
      '{confirmations, number} de {needed, number} guardianes han confirmado una clave nueva. La solicitud está abierta hasta el <when></when>.',
    yours: '<b>Si es suya,</b> siga donde la empezó, o abra aquí la clave nueva que guardó.',
    notYours:
      '<b>Si no es suya,</b> llame ahora a sus guardianes. Pídales que no confirmen nada hasta haber oído su voz y sus seis palabras. Después siga aquí.',
    look: 'Antes de seguir, busque una vez más: ¿un archivo cuyo nombre empieza por perpetua, o 24 palabras en papel? Con una de las dos cosas no necesita la ayuda de nadie.',
    next: 'He perdido mi clave, continuar',
    mine: 'Es mía: abrir mi clave nueva',
    haveKey: 'He encontrado mi clave',
    another: 'Otro dominio',
  },
  what: {
    title: 'Qué va a pasar',
    key: '<b>Aquí se crea una clave nueva,</b> en su dispositivo. Usted guarda una copia.',
    links: '<b>Recibe un enlace para cada guardián</b> y se lo envía usted.',
    call: '<b>Habla con ellos.</b> Le piden seis palabras, y usted se las lee.',
    done: '<b>Cuando dos hayan confirmado,</b> {domain} tiene su clave nueva. En ese momento la antigua deja de funcionar.',
    time: 'Tienen 72 horas para ello. Si no basta, lo pide de nuevo con la misma clave.',
    publicTitle: 'Qué se hace público, para siempre',
    public:
      'En cuanto un guardián confirma: que {domain} recibe una clave nueva con ayuda de guardianes, y las claves públicas. Ningún nombre. La solicitud en sí no queda registrada.',
    next: 'Entendido, crear mi clave nueva',
  },
  key: {
    making: 'Creando su clave nueva',
    makingBody: 'Se crea en este navegador y nunca sale de él.',
    failed: 'Este navegador no puede crear una clave',
    failedBody:
      'Abra esta página de nuevo en un navegador actualizado, en este u otro dispositivo. No se ha perdido nada.',
    kept: 'Su clave nueva está guardada',
    keptBody: 'Tiene su propia copia, así que puede continuar. Si quiere, guarde una segunda copia en otro lugar.',
    again: 'Guardar otra copia',
    lostTitle: 'Este navegador ha perdido su clave nueva',
    lost: 'Su solicitud sigue en pie. Abra la copia que guardó.',
    anotherKey: 'No la tengo: empezar de nuevo con otra clave',
  },
  forgetful: {
    title: 'Este navegador no guarda nada',
    body: 'Quizá esté en modo privado. Deje esta página abierta hasta terminar.',
  },
  ask: {
    title: '¿Pedir ayuda ahora a sus guardianes?',
    lead: 'Su clave nueva está guardada. Ahora esta página crea un enlace para cada uno de sus guardianes.',
    againTitle: '¿Pedir ayuda de nuevo a sus guardianes?',
    againLead:
      'Recibe enlaces nuevos, válidos otras 72 horas. La clave y las seis palabras siguen siendo las mismas. Quien confirmó una solicitud anterior debe confirmar también esta.',
    nothingYet: 'Con eso no cambia nada todavía: solo lo cambian dos confirmaciones.',
    mails:
      'También intentamos escribir a los guardianes cuyo correo nos dio. Los correos pueden no llegar: envíe usted los enlaces.',
    yes: 'Crear los enlaces',
    sending: 'Creando los enlaces',
    anotherKey: 'Crear otra clave',
  },
  mismatch: {
    title: 'Alto: algo no está bien',
    body: 'El servidor ha respondido con seis palabras que no son las de su clave. No envíe ningún enlace ni lea las palabras a nadie.',
    todo: 'Su clave está a salvo y no ha cambiado nada. Cierre esta página. Inténtelo de nuevo en otra red y en otro dispositivo, y avise a quien se ocupa de este servicio.',
  },
  links: {
    title: 'Envíe a cada guardián su enlace',
    lead: 'Envíelo por donde suele escribirle, y diga que va a llamar.',
    noWords: 'No envíe con él las seis palabras. Esas las leerá en voz alta.',
    who: 'Esta página no conoce los nombres de sus guardianes, solo el orden en que los eligió. Si confunde a dos, no se pierde nada: su página se lo dice, y usted envía el otro enlace.',
    twice:
      'Si un papel aparece dos veces, es que pasó a otra persona en los últimos tres días. Por ahora cuentan las dos.',
    mailed:
      'Envíe usted cada enlace: un correo nuestro puede no llegar. Si un guardián tiene un correo nuestro con otro enlace, pídale que use el que usted le ha enviado.',
    role: { primary: 'Su primer guardián', secondary: 'Su segundo guardián', tertiary: 'Su tercer guardián' },
    another: '{role}, persona {number, number}',
    message:
      'He perdido la clave de {domain} y necesito tu ayuda como mi guardián. Por favor, llámame primero, al número que ya conoces. Después abre este enlace:',
    confirmed: 'ha confirmado',
    superseded: 'ya no cuenta',
    elsewhereTitle: 'Los enlaces están en el otro dispositivo',
    elsewhere: 'Se crearon allí y no se guardan en ningún otro sitio. Si no puede llegar a ellos, cree otros.',
    again: 'Crear enlaces nuevos',
    next: 'Ya los he enviado',
    print: 'Imprimir los enlaces',
  },
  words: {
    title: 'Sus seis palabras',
    lead: 'Cada guardián le pedirá estas palabras. Léalas despacio, en este orden.',
    english:
      'Están en inglés para todo el mundo, y son las mismas para todos sus guardianes. Si quiere, deletréelas: bastan las cuatro primeras letras de cada una.',
    voice: 'Léalas solo a quien haya llamado usted, o a quien conozca por la voz.',
    back: 'Si le llaman y tiene dudas de quién es, cuelgue y devuelva la llamada a un número que ya conozca.',
    never: 'No las envíe nunca: ni con el enlace, ni en ningún mensaje.',
    broken: 'Las palabras no se han cargado. Compruebe su conexión y vuelva a cargar la página; no se pierde nada.',
    next: 'Ver quién ha confirmado',
    links: 'Volver a los enlaces',
  },
  watch: {
    title:
      '{given, plural, =0 {Esperando a sus guardianes} =1 {Un guardián ha confirmado} other {# guardianes han confirmado}}',
    tally: '{given, number} de {needed, number} guardianes han confirmado.',
    until: '{given, number} de {needed, number} han confirmado. Tienen hasta el <when></when>.',
    live: 'Esta página se actualiza sola. Puede cerrarla y volver en este navegador.',
    stay: 'Esta página se actualiza sola. Déjela abierta: este navegador no guarda nada.',
    unreachable: 'El servidor no responde en este momento. Seguimos intentándolo, y no se pierde nada.',
    confirmed: 'ha confirmado',
    notYet: 'todavía no',
    words: 'Las seis palabras',
    links: 'Los enlaces',
    rivalTitle: 'Otra persona también está pidiendo {domain}',
    rival:
      'Otra solicitud, con otra clave, tiene {confirmations, plural, one {# confirmación} other {# confirmaciones}}. Si no es suya, llame ahora a sus guardianes. Solo sus seis palabras son las correctas.',
    changedTitle: 'Entretanto han cambiado la clave antigua',
    changed:
      'Ha sido quien tiene su clave antigua. No se lo impide: cuando dos guardianes confirmen, su clave nueva ocupará su lugar.',
    slowTitle: 'Si un guardián no responde',
    slowCall: 'Llame. Mucha gente no se fía de los enlaces, y hace bien.',
    slowOther: 'Dos cualesquiera bastan. Pídaselo a otro.',
    slowKey: 'Un guardián que ha perdido su propia clave no puede ayudar. Entonces hacen falta los demás.',
    slowAgain: '¿Se ha perdido un enlace, o queda poco tiempo? Cree enlaces nuevos, con la misma clave.',
  },
  ended: {
    again: 'Pedirlo de nuevo con mi clave nueva',
    expired: {
      title: 'Se han acabado las 72 horas',
      what: 'No han confirmado a tiempo dos guardianes. No ha cambiado nada en {domain}.',
      todo: 'Su clave nueva sigue siendo buena, y las seis palabras también. Necesita enlaces nuevos, y quien ya confirmó debe confirmar una vez más.',
    },
    overtaken: {
      title: '{domain} ha recibido otra clave, que no es la suya',
      what: 'Dos guardianes han confirmado otra solicitud, así que esta se ha cerrado.',
      todo: '¿Fue usted, en otro dispositivo? Entonces la clave buena es la que guardó allí.',
      stranger:
        'Si no fue usted, llame ahora a sus guardianes. Pregúnteles para quién confirmaron, y dígales que solo sus seis palabras son las correctas. Después pídalo de nuevo: dos de ellos pueden darle su clave.',
      open: 'Abrir la clave de allí',
    },
    destroyed: {
      title: '{domain} se ha cerrado',
      what: 'Quien tenía la clave antigua ha cerrado la identidad para siempre, y nadie puede devolverla.',
      todo: 'Todos sus consentimientos terminaron con ella. Puede empezar una identidad nueva.',
    },
  },
  done: {
    title: '{domain} vuelve a ser suya',
    lead: 'Dos guardianes han confirmado. Desde ahora vale su clave nueva, y la antigua ya no funciona.',
    heldTitle: 'Su clave es la buena',
    heldLead: 'Es la clave de {domain}. No necesita a sus guardianes.',
    consentsTitle: 'Mire quién tiene su consentimiento',
    consents:
      'Sus consentimientos siguen como antes. Quien tenía su clave antigua puede haber dado alguno en su nombre, así que revíselos ahora.',
    heldConsents: 'Si otra persona puede haber tenido su clave, revise sus consentimientos.',
    review: 'Revisar mis consentimientos',
    keyTitle: 'Cuide su clave',
    key: 'Guarde el archivo o las 24 palabras donde los encuentre también dentro de unos años. Los navegadores olvidan.',
    pagesTitle: 'Vaya a sus páginas',
    pages: 'Allí ve todo sobre su identidad y puede cambiarlo. Antes elige una contraseña para este navegador.',
    toPages: 'Ir a mis páginas',
    guardiansTitle: 'Avise a sus guardianes',
    guardians: 'Dígales que ha funcionado, y deles las gracias. Ya no tienen que esperar.',
    whoTheyAre:
      'Después mire si siguen siendo las personas que eligió. Quien tenía su clave antigua pudo nombrar a alguien:',
    guardianSince: '{role}, desde el <when></when>',
    guardianInvited: '{role}, con invitación del <when></when>, todavía sin aceptar',
    notYours: 'Si alguna no es de su confianza, podrá cambiarla dentro de un día. Sola no puede hacer nada.',
    confirmAnew:
      'Si comparó las seis palabras con sus guardianes en los últimos tres días, se le pedirá que lo haga una vez más.',
    waitTitle: 'Durante las próximas 24 horas',
    wait: 'Cerrar la identidad y cambiar sus guardianes tiene que esperar un día. Es por su seguridad.',
    unlock: {
      title: 'Su identidad sigue bloqueada',
      body: 'Nadie puede usar sus consentimientos hasta que la desbloquee. Si quiere, revíselos antes.',
      yes: 'Desbloquear',
      sending: 'Desbloqueando',
      unlocked: 'Su identidad está desbloqueada.',
    },
  },
  consents: {
    title: 'Quién tiene su consentimiento',
    loading: 'Buscando sus consentimientos',
    failed: 'No se han podido consultar sus consentimientos',
    retry: 'Intentarlo de nuevo',
    none: 'Nadie tiene su consentimiento en este momento. No hay nada que hacer.',
    lead: 'Retire lo que no reconozca. Puede volver a dar un consentimiento cuando quiera.',
    standing:
      '{count, plural, =0 {No queda ningún consentimiento.} one {# consentimiento en vigor.} other {# consentimientos en vigor.}}',
    unnamed: 'Una institución sin dominio',
    own: 'Es usted mismo: permite que su propia clave lea y exporte.',
    may: 'Puede',
    about: 'Sobre',
    since: 'Desde',
    sinceUntil: '{from}, hasta el {to}',
    withdraw: 'Retirar',
    withdrawing: 'Retirando',
    withdrawn: 'Retirado',
    back: 'Listo',
    all: {
      ask: '{count, plural, one {Retirarlo} other {Retirar los #}}',
      title: '{count, plural, one {¿Retirar este consentimiento?} other {¿Retirar los # consentimientos?}}',
      body: 'Terminan al instante, para todos los de esta lista. Lo que ya se leyó no se puede deshacer.',
      yes: '{count, plural, one {Sí, retirarlo} other {Sí, retirar los #}}',
      sending: 'Retirando',
      no: 'No, mantenerlos',
    },
  },
  errors: {
    title: 'No ha funcionado',
    UNREACHABLE:
      'No se ha podido llegar al servidor. Compruebe su conexión e inténtelo de nuevo. Su clave está a salvo.',
    UNAVAILABLE:
      'El servicio está ocupado en este momento. Espere un minuto e inténtelo de nuevo. Su clave está a salvo.',
    RATE_LIMITED:
      'Han llegado demasiadas peticiones desde su red. Espere un minuto e inténtelo de nuevo. Su clave está a salvo.',
    INTERNAL: 'Algo ha fallado por nuestra parte. Su clave está a salvo. Inténtelo de nuevo dentro de un minuto.',
    TIMESTAMP:
      'El reloj de este dispositivo no está bien. Ajuste la fecha y la hora e inténtelo de nuevo. Su clave está a salvo.',
    RECOVERY_NOT_CONFIGURED:
      'Entretanto cuentan menos de dos guardianes, así que nadie podría confirmar. Vuelva a cargar la página para ver qué puede hacer aún.',
    PUBLIC_KEY_TAKEN: 'Esta clave ya es de un guardián de esta identidad. Cree otra.',
    PUBLIC_KEY_INVALID: 'El servidor no acepta esta clave. Vuelva a cargar la página y cree otra.',
    BEO_NOT_FOUND: 'La identidad ya no se conoce. Puede que entretanto se haya cerrado.',
    BEO_DESTROYED: 'La identidad se ha cerrado entretanto. Nadie puede devolverla.',
    BEO_LOCKED: 'La identidad está bloqueada. Desbloquéela primero.',
    INVALID_SIGNATURE: 'La identidad ya tiene otra clave. Vuelva a cargar la página para ver cómo está.',
    TOKEN_NOT_FOUND: 'Este consentimiento ya no se conoce. Vuelva a cargar la página.',
    OTHER: 'El servidor no lo ha aceptado ({code}). Su clave está a salvo. Inténtelo de nuevo dentro de un minuto.',
  },
} satisfies typeof english;
