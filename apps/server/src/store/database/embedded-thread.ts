import { parentPort } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import type { Answer, Order } from './embedded.ts'

/** The embedded database in a thread of its own; see embedded.ts for what it is told and what it answers. */
const port = parentPort
if (port === null) throw new Error('This module runs in a worker thread.')
const library = import('@electric-sql/pglite')
let lite: PGlite | null = null

async function open({ dataDir, image, program }: Order & { kind: 'open' }): Promise<PGlite> {
  const { PGlite } = await library
  const opened = await PGlite.create({
    dataDir,
    pgliteWasmModule: program,
    ...(image ? { loadDataDir: image } : {}),
  })
  // Filling segments of the log with zeros, or keeping old ones, prepares for flushes that never come; it
  // stopped the database for a tenth of a second at a time.
  await opened.exec('set wal_init_zero = off; set wal_recycle = off')
  return opened
}

async function obey(order: Order): Promise<Uint8Array | Blob | null> {
  if (order.kind === 'open') {
    lite = await open(order)
    return null
  }
  if (order.kind === 'close') {
    await lite?.close()
    lite = null
    return null
  }
  if (lite === null) throw new Error('The embedded database is not open.')
  return order.kind === 'dump' ? lite.dumpDataDir('none') : lite.execProtocolRaw(order.bytes)
}

/** The bytes of a message as they may be handed over; a view of a larger buffer is copied. */
function alone(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength
  return isWhole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}

// One after the other: the database is a single connection.
let last = Promise.resolve()
port.on('message', (order: Order) => {
  last = last.then(async () => {
    try {
      const found = await obey(order)
      const result = found instanceof Uint8Array ? alone(found) : found
      port.postMessage(
        { id: order.id, result } satisfies Answer,
        result instanceof Uint8Array ? [result.buffer] : [],
      )
    } catch (error) {
      port.postMessage({ id: order.id, error: error as Error } satisfies Answer)
    }
  })
})
