import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string }
}
interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string
}

/** What an authenticator may do otherwise than it should. */
export interface Misconduct {
  readonly origin?: string
  readonly isPersonChecked?: boolean
  /** Signs with a key that is not the registered one. */
  readonly isForged?: boolean
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** A key pair of P-256, and its public half as COSE writes it. */
function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  return { privateKey, cose }
}

/**
 * An authenticator in software, as a browser speaks for it: keys of P-256, a counter that moves with each signature, no attestation.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 */
export class Authenticator {
  readonly #key = newKey()
  readonly #other = newKey()
  readonly id = b64(randomBytes(32))
  readonly #origin: string
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** What a browser hands over for `navigator.credentials.create`. */
  create({ challenge, rp }: CreationOptions, misconduct: Misconduct = {}): object {
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      this.#key.cose,
    ])
    const authData = this.#authData(rp.id ?? '', { attested, ...misconduct })
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([authData.length]),
      authData,
    ])
    const client = this.#client('webauthn.create', challenge, misconduct)
    return this.#credential({
      clientDataJSON: b64(client),
      attestationObject: b64(attestation),
      transports: ['internal'],
    })
  }

  /** What a browser hands over for `navigator.credentials.get`. */
  get({ challenge, rpId }: RequestOptions, misconduct: Misconduct = {}): object {
    this.#counter += 1
    const authData = this.#authData(rpId ?? '', misconduct)
    const client = this.#client('webauthn.get', challenge, misconduct)
    const { privateKey } = misconduct.isForged ? this.#other : this.#key
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(client)]))
      .sign(privateKey)
    return this.#credential({
      clientDataJSON: b64(client),
      authenticatorData: b64(authData),
      signature: b64(signature),
    })
  }

  #credential(response: object): object {
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} }
  }

  #client(type: string, challenge: string, { origin = this.#origin }: Misconduct): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authData(
    rpId: string,
    { attested, isPersonChecked = true }: Misconduct & { attested?: Buffer },
  ): Buffer {
    // Present, checked by PIN or finger, and with the key behind.
    const flags = 0x01 | (isPersonChecked ? 0x04 : 0) | (attested ? 0x40 : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)])
  }
}
