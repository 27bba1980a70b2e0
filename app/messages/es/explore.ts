import type english from '../en/explore.ts';

export default {
  title: 'Explorar el registro',
  lead: 'Busque cualquier cosa que se haya firmado aquí y compruébela usted mismo, en su propio navegador. Todo es público; no hace falta una cuenta.',
  search: {
    label: '¿Qué busca?',
    hint: 'Un dominio, que termina en .{suffix}, o el id de una identidad, una institución, un consentimiento o una transacción.',
    submit: 'Buscar',
    looking: 'Buscando …',
  },
  latest: { title: 'Últimas entradas', empty: 'El registro está vacío.' },
  history: {
    title: 'Historial en el registro',
    lead: 'Todas las operaciones, de la más reciente a la más antigua. Abra una para ver qué se firmó y para comprobarla.',
  },
  consents: {
    title: 'Consentimientos que ha dado',
    lead: '{count, plural, =0 {Todavía no ha dado ninguno.} one {Uno en total. Los consentimientos son públicos; los datos de salud de que tratan no lo son.} other {# en total, en vigor y terminados, del más reciente al más antiguo. Los consentimientos son públicos; los datos de salud de que tratan no lo son.}}',
    may: 'Puede',
    state: 'Estado',
  },
  kind: {
    identity: 'Identidad de una persona',
    institution: 'Institución',
    consent: 'Consentimiento',
    proposal: 'Propuesta del instituto',
    transaction: 'Transacción, entrada n.º {seq, number} del registro',
  },
  state: {
    ACTIVE: 'Activa',
    IN_FORCE: 'En vigor',
    LOCKED: 'Bloqueada',
    SUSPENDED: 'Suspendida',
    REVOKED: 'Revocada',
    DESTROYED: 'Destruida',
    EXPIRED: 'Caducado',
    WITHDRAWN: 'Retirado',
  },
  fact: {
    publicKey: 'Clave pública',
    keyVersion: 'Versión de la clave',
    guardians: 'Guardianes',
    created: 'Creación',
    status: 'Última entrada',
    createdBy: 'Creada por la transacción',
    transaction: 'id de la transacción',
    id: 'Id',
  },
  raw: 'Todo, tal como lo leen las máquinas (JSON)',
  identity: {
    keyVersion: '{version, plural, one {1, nunca cambiada} other {#, ya cambiada}}',
    guardians:
      '{count, plural, =0 {Ninguno: una clave perdida no se puede recuperar} one {1 activo, de los dos que exige una recuperación} other {# activos}}{count, plural, =0 {} other {; {confirmed, number} confirmados por el titular}}',
    confirmedOnly: 'Solo cuentan guardianes cuya clave ha firmado su titular. El titular lo decidió para siempre.',
    asserted:
      'Pueden contar guardianes que su titular no ha confirmado. Una recuperación con ellos sería afirmada por el servicio.',
    recovering: 'Se está recuperando con otra clave: {given, number} de {needed, number} guardianes han confirmado.',
  },
  institution: {
    calls: 'Se presenta como',
    unchecked: 'Con sus propias palabras. Lo que el instituto ha verificado lo dice la certificación.',
    type: 'Tipo',
    says: 'Dice de sí misma',
    certification: 'Certificación',
    because: {
      CERTIFIED: 'Dada por el instituto y válida en este momento.',
      UNCERTIFIED: 'El instituto no la ha certificado.',
      IEO_NOT_ACTIVE: 'No está activa, y mientras tanto no vale ninguna certificación.',
      CERTIFICATION_EXPIRED: 'Su certificación ha vencido.',
    },
    sentence: {
      ACTIVE: 'Puede recibir consentimientos y usarlos.',
      LOCKED: 'Se ha bloqueado a sí misma: hasta que se desbloquee no puede usar ningún consentimiento.',
      SUSPENDED: 'El instituto la ha suspendido: por ahora no puede usar ningún consentimiento.',
      REVOKED: 'El instituto la ha revocado definitivamente. Todos sus consentimientos han terminado.',
      DESTROYED: 'Se ha cerrado definitivamente. Todos sus consentimientos han terminado.',
    },
  },
  consent: {
    to: 'Consentimiento para',
    by: 'Dado por',
    for: 'Dado a',
    self: 'Es la clave del propio titular: así lee y exporta sus datos.',
    given: 'Dado',
    holds: 'Está en vigor: lo que permite puede hacerse ahora.',
    holdsNot:
      '{reason, select, TOKEN_REVOKED {Se retiró, o terminó junto con quien lo dio o lo recibió. Ya no se puede hacer nada con él.} TOKEN_EXPIRED {Su plazo ha terminado. Ya no se puede hacer nada con él.} BEO_NOT_ACTIVE {Está en pausa: quien lo dio ha bloqueado la identidad.} IEO_NOT_ACTIVE {Está en pausa: la institución no está activa en este momento.} other {No está en vigor en este momento.}}',
  },
  proposal: {
    action: {
      suspendIEO: 'Suspender una institución',
      reinstateIEO: 'Reactivar una institución',
      revokeIEO: 'Revocar una institución',
      changeCertLevel: 'Cambiar una certificación',
    },
    status: {
      PENDING: 'Espera a una segunda de las tres claves del instituto.',
      EXECUTED: 'La aprobaron dos de las tres claves del instituto, y tuvo efecto.',
      EXPIRED: 'Ninguna segunda clave la aprobó en siete días, y quedó en nada.',
    },
    about: 'Institución',
    why: 'Motivo alegado',
    approvals: 'Aprobaciones',
    given: '{count, number} de {needed, number}',
    opened: 'Abierta',
    executed: 'Tuvo efecto',
  },
  transaction: {
    status:
      '{status, select, ACCEPTED {Aceptada: ya vale, y espera a ser enviada a la red.} POSTED {Enviada a la red, a la espera de un bloque.} CONFIRMED {Está en un bloque. Será definitiva cuando la sigan suficientes bloques.} FINAL {Definitiva: la han seguido suficientes bloques, y se ha vuelto a leer de la red.} other {}}',
    about:
      '{kind, select, identity {Identidad} institution {Institución} consent {Consentimiento} proposal {Propuesta del instituto} other {Sobre}}',
    accepted: 'Aceptada',
    network: 'En la red',
    notYet: 'Todavía no se ha enviado.',
    gateway: 'La transacción de la red que la contiene',
    kept: {
      arweave: 'Arweave la conserva para siempre.',
      devnet: 'Esta es una red de prueba dentro de este servidor: nada en ella es permanente.',
    },
    prev: 'Entrada anterior',
    entry: 'La entrada misma (JSON)',
  },
  nothing: {
    nobody: {
      title: 'No hay nada con este nombre',
      body: 'Nadie lo usa, o su titular ha destruido la identidad: una identidad destruida solo se encuentra por su id. Mire si está bien escrito; en el id de una transacción cuentan las mayúsculas y las minúsculas.',
    },
    malformed: {
      title: 'Esto no puede ser un nombre del registro',
      body: 'Un dominio se compone de las letras de la a a la z, cifras, guiones y puntos, tiene como máximo 64 caracteres y termina en .{suffix}. Un id se copia entero de donde está.',
    },
    back: 'Ver las últimas entradas',
  },
  terms: {
    title: 'Las palabras que se usan aquí',
    ledger: {
      name: 'Registro',
      what: 'Una lista de todo lo que se ha firmado aquí. Cada entrada nombra a la anterior, de modo que ninguna puede cambiarse, intercalarse ni quitarse sin que se note.',
    },
    entry: {
      name: 'Entrada, o transacción',
      what: 'Una operación en el registro, como un consentimiento que se ha dado. Su id es la huella de una firma y nunca cambia.',
    },
    identity: {
      name: 'Identidad',
      what: 'Un dominio y una clave pública. Quién está detrás no está escrito aquí.',
    },
    institution: {
      name: 'Institución',
      what: 'Un laboratorio, una clínica, una aseguradora o algo parecido, con dominio y clave propios. Solo puede leer o añadir aquello que alguien consiente.',
    },
    consent: {
      name: 'Consentimiento',
      what: 'Lo que alguien permite hacer a una institución, con qué tipos de datos y por cuánto tiempo. Puede retirarse en cualquier momento.',
    },
    key: {
      name: 'Clave y firma',
      what: 'Quien tiene la clave secreta puede firmar; quien tiene la clave pública puede comprobarlo. A partir de la clave pública nadie puede hallar la secreta.',
    },
    relayer: {
      name: 'Retransmisor',
      what: 'Este servicio. Pone en orden lo que las personas firman, firma ese orden con su propia clave y paga a la red. No puede firmar por nadie más.',
    },
    final: {
      name: 'Definitiva',
      what: 'La red ha construido suficientes bloques encima, y se ha vuelto a leer. En Arweave, después de eso nadie puede quitarla.',
    },
  },
  check: {
    title: 'Compruébelo usted mismo',
    lead: 'No hace falta que crea a esta página que la entrada es auténtica. Su navegador puede averiguarlo: pide la entrada firmada y sus vecinas y las comprueba paso a paso.',
    start: 'Comprobar ahora',
    fetching: 'Pidiendo la entrada y sus vecinas …',
    checking: 'Comprobando …',
    going: 'Comprobando las entradas siguientes: {checked, number} de {of, number} …',
    numbered: '{number, number}. {title}',
    verdict: { good: 'se cumple', told: 'nada que comprobar', bad: 'no se cumple' },
    compared: 'Qué se comparó',
    outcome: {
      good: { title: 'Es auténtica', body: 'Los {count, number} pasos se cumplen.' },
      told: {
        title: 'El retransmisor la ha firmado; no hay firma pública de una persona',
        body: 'No se ha encontrado nada malo. El paso «Quién lo decidió» dice por qué no hay firma que comprobar.',
      },
      bad: {
        title: 'Aquí hay algo que no está bien',
        body: 'Al menos un paso no se cumple. Descargue la prueba y guárdela: se lo demuestra a cualquiera.',
      },
    },
    step: {
      item: {
        title: 'El id es el suyo',
        said: '{case, select, good {Es un elemento de datos entero, en la forma de la red (ANS-104), y el SHA-256 de su firma es el id que usted buscó.} malformed {Estos bytes no son un elemento de datos.} other {El SHA-256 de su firma no es el id que usted buscó.}}',
      },
      relayer: {
        title: 'El retransmisor la ha firmado',
        said: '{case, select, good {La firma abarca todo lo que contiene, por medio de su deep hash (SHA-384), y es de la clave del retransmisor.} other {La firma no es de la clave del retransmisor sobre lo que contiene.}}',
      },
      ledger: {
        title: 'Pertenece a este registro',
        said: '{case, select, good {El nombre de un registro es el SHA-256 de la primera clave de su retransmisor, y es esta clave.} other {El nombre del registro no es el SHA-256 de esta clave.}}',
      },
      place: {
        title: 'Tiene un solo lugar',
        said: '{case, select, good {Su ancla es el SHA-256 del id de la entrada anterior y de su propio número: no cabe en ningún otro lugar.} other {Su ancla no es la de este número después de esa entrada.}}',
      },
      entry: {
        title: 'Dice una sola cosa',
        said: '{case, select, good {Su contenido está escrito de la única manera posible (JSON canónico), y sus etiquetas dicen lo mismo que él.} malformed {Su contenido no es una entrada de un registro.} other {Su contenido no está escrito de la única manera posible, o sus etiquetas dicen otra cosa.}}',
      },
      person: {
        title: 'Quién lo decidió',
        said: '{case, select, good {La clave de quien firma ha firmado exactamente este mensaje. Sin esa clave nadie puede, tampoco el retransmisor.} sealed {Lleva algo privado, como datos de salud o el nombre de un guardián. Por eso la red solo tiene un resumen: el SHA-256 de una sal, la firma y el mensaje. Quien lo firmó recibió la sal y puede abrírselo; nadie más puede.} institute {Lo decidió el instituto, con una de sus tres claves. Esas decisiones no llevan firma: que fue el instituto es palabra del retransmisor.} relayer {Solo el retransmisor escribe este tipo de entrada, cuando el registro continúa después de una restauración.} unsigned {Debería llevar la firma de una persona, y no la lleva.} foreign {Se firmó para otro registro, cuyo id figura en el mensaje. El retransmisor no podía aceptarlo.} other {La firma no es de la clave indicada sobre este mensaje.}}',
      },
      before: {
        title: 'Sigue a la entrada anterior',
        said: '{case, select, good {El retransmisor ha firmado la entrada anterior, y su id es el que se indica aquí.} first {Es la primera entrada del registro.} other {La entrada que se dio como anterior no es la que ella indica.}}',
      },
      after: {
        title: 'Las entradas siguientes se apoyan en ella',
        said: '{case, select, good {{checked, plural, one {La sigue una entrada, hasta la más nueva, que la nombra.} other {La siguen # entradas, hasta la más nueva, cada una firmada por el retransmisor y nombrando a la anterior.}}} newest {Es la entrada más nueva: todavía no la sigue ninguna.} part {Las {checked, number} entradas siguientes, tantas como abarca una comprobación, nombran cada una a la anterior.} short {La cadena termina antes de lo debido.} other {La cadena se rompe después de {checked, number} entradas.}}',
      },
      head: {
        title: 'El retransmisor responde por el conjunto',
        said: '{case, select, good {El retransmisor ha firmado, en el momento que se muestra, que el registro termina donde termina esta cadena. Si alguna vez muestra a alguien otra entrada en este lugar, las dos juntas lo prueban.} apart {El retransmisor ha firmado dónde termina el registro. Es más adelante de lo que llegó esta comprobación.} other {Lo que el retransmisor ha firmado como final del registro no concuerda con esta cadena.}}',
      },
    },
    fact: {
      bytes: 'Tamaño en bytes',
      statedId: 'El id que usted buscó',
      computedId: 'SHA-256 de la firma',
      relayerKey: 'Clave del retransmisor de este registro',
      owner: 'Clave indicada en el elemento',
      digest: 'Deep hash que se firmó',
      signature: 'Firma',
      ledgerId: 'Nombre del registro',
      keyDigest: 'SHA-256 de la clave del retransmisor',
      anchor: 'Ancla en el elemento',
      computedAnchor: 'SHA-256 de «entrada anterior:número»',
      function: 'Operación',
      entity: 'Sobre',
      acceptedAt: 'Aceptada el',
      seq: 'Número',
      tags: 'Etiquetas del elemento',
      signer: 'Clave de quien firma',
      message: 'Mensaje que se firmó',
      sealed: 'Resumen en la red',
      prev: 'Entrada anterior',
      lastId: 'Última entrada de la cadena comprobada',
      headId: 'Última entrada del registro, según lo firmado',
      headSeq: 'Su número',
      at: 'Firmado el',
    },
    network: {
      title: 'El último paso es suyo: compare con la red',
      notYet: 'Todavía no se ha enviado. Cuando se envíe, aquí habrá un enlace a la copia de la red.',
      how: 'Para que nada sobre usted salga de este sitio, esta página no puede preguntar a otros servidores. Abra la copia del paquete que tiene la propia red; la entrada está en él como texto legible. Busque',
      bundle: 'Abrir el paquete en la pasarela',
      devnet:
        'Esta es una red de prueba dentro de este servidor, así que prueba poco. En Arweave sería la copia de otros.',
      arweave: 'Cualquier otra pasarela de Arweave tiene que darle los mismos bytes.',
    },
    file: {
      title: 'Llévese la prueba',
      what: 'El archivo tiene todo lo que se comprobó aquí: la entrada, la cadena y el final firmado del registro. Puede comprobarse dentro de años, sin este sitio y sin red.',
      download: 'Descargar la prueba',
      script: 'Descargar el script que la comprueba',
      run: 'El script necesita Node.js y es lo bastante corto para leerlo antes. En la carpeta con los dos archivos:',
      command: 'comando',
      key: 'El número largo es la clave del retransmisor. Compárela con una que tenga de otro sitio.',
    },
    limits:
      'Lo que una entrada sola no puede mostrar: si la clave era la correcta en ese momento y si las reglas lo permitían. Para eso hace falta el registro entero, desde el principio; la orden «npm run verify» lo hace para cualquiera.',
  },
} satisfies typeof english;
