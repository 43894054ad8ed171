import { readFile } from 'node:fs/promises'
import { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { limits } from '../../limits.ts'

/** Orders to the database thread, processed one at a time. */
export type Order = { readonly id: number } & (
  | {
      readonly kind: 'open'
      readonly dataDir: string
      readonly image: Blob | null
      readonly program: Program
      /** Free disk space that changes require, in bytes; null in memory. */
      readonly reserveBytes: number | null
    }
  | { readonly kind: 'reserve'; readonly bytes: number }
  | { readonly kind: 'message'; readonly bytes: Uint8Array }
  | { readonly kind: 'dump' }
  | { readonly kind: 'close' }
)

export type Answer =
  | { readonly id: number; readonly result: Uint8Array | Blob | null }
  | { readonly id: number; readonly error: Error }

/** Compiled PostgreSQL module, shared by threads together with its optimized code. */
type Program = object
interface Compiler {
  readonly compile: (bytes: Uint8Array) => Promise<Program>
}

let program: Promise<Program> | null = null

/** Cached for the process lifetime: later databases start with the warmed code. */
function compiledProgram(): Promise<Program> {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Compiler }
  const path = new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  program ??= readFile(path).then(WebAssembly.compile)
  return program
}

type Unnumbered = Order extends infer One ? (One extends Order ? Omit<One, 'id'> : never) : never

/**
 * PGlite in its own thread, so the event loop serves requests while the database works. A long
 * query blocks no other request.
 */
export class EmbeddedDatabase {
  readonly #worker = new Worker(new URL('./embedded-thread.ts', import.meta.url))
  readonly #waiting = new Map<
    number,
    { done: (result: Uint8Array | Blob | null) => void; refuse: (error: Error) => void }
  >()
  #ordered = 0
  #stopped: Error | null = null

  constructor() {
    // Pending orders hold the process open; an idle database does not.
    this.#worker.unref()
    this.#worker.on('message', (answer: Answer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (this.#waiting.size === 0) this.#worker.unref()
      if ('error' in answer) waiting?.refuse(answer.error)
      else waiting?.done(answer.result)
    })
    const stop = (cause?: unknown) => {
      this.#stopped ??= new Error('Connection terminated: the embedded database stopped.', {
        cause,
      })
      for (const { refuse } of this.#waiting.values()) refuse(this.#stopped)
      this.#waiting.clear()
    }
    this.#worker.on('error', stop)
    this.#worker.on('exit', () => stop())
  }

  /** Opens a directory or `memory://`, optionally from an image of `dump`. */
  async open(dataDir: string, image: Blob | null): Promise<void> {
    const reserveBytes = dataDir.startsWith('memory:') ? null : limits.diskReserveBytes
    const program = await compiledProgram()
    await this.#order({ kind: 'open', dataDir, image, program, reserveBytes })
  }

  /** Changes the free disk space that changes require, in bytes. */
  async reserve(bytes: number): Promise<void> {
    await this.#order({ kind: 'reserve', bytes })
  }

  /** The response to one or more messages of the wire protocol. */
  async exchange(messages: Uint8Array): Promise<Uint8Array> {
    // The driver writes into one growing buffer. A view on it would copy the whole buffer, so copy
    // only the message.
    const bytes = new Uint8Array(messages)
    return (await this.#order({ kind: 'message', bytes }, [bytes.buffer])) as Uint8Array
  }

  /** The data directory as one tar file. */
  async dump(): Promise<Blob> {
    return (await this.#order({ kind: 'dump' })) as Blob
  }

  async close(): Promise<void> {
    if (!this.#stopped) {
      // A database that stopped responding does not close either; its log is recovered at the next
      // start.
      await Promise.race([
        this.#order({ kind: 'close' }),
        sleep(limits.databaseCloseMilliseconds, undefined, { ref: false }),
      ])
    }
    await this.#worker.terminate()
  }

  #order(order: Unnumbered, handed: ArrayBuffer[] = []): Promise<Uint8Array | Blob | null> {
    return new Promise((done, refuse) => {
      if (this.#stopped) return refuse(this.#stopped)
      this.#ordered += 1
      this.#waiting.set(this.#ordered, { done, refuse })
      this.#worker.ref()
      this.#worker.postMessage({ id: this.#ordered, ...order } satisfies Order, handed)
    })
  }
}

const [startup, terminate] = [0x00, 0x58] // The first byte of its length; `X`.
// AuthenticationOk, and ReadyForQuery outside a transaction.
const welcome = Buffer.from('520000000800000000' + '5a0000000549', 'hex')

/**
 * Socket replacement for the PostgreSQL driver: forwards messages to the thread and returns
 * responses in order.
 */
export class EmbeddedSocket extends Duplex {
  readonly #database: EmbeddedDatabase

  constructor(database: EmbeddedDatabase) {
    super()
    this.#database = database
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, written: (error?: Error | null) => void): void {
    this.#answer(chunk).then(
      (answer) => {
        if (answer !== null) this.push(answer)
        written()
      },
      (error: Error) => written(error),
    )
  }

  async #answer(messages: Buffer): Promise<Uint8Array | null> {
    if (messages[0] === startup) return welcome
    if (messages[0] === terminate) return null
    return this.#database.exchange(messages)
  }

  /** Sends held messages as one. */
  override _writev(chunks: { chunk: Buffer }[], written: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', written)
  }

  override _final(ended: () => void): void {
    this.push(null)
    ended()
  }
}
