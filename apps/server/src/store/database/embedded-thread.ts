import { parentPort } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { DiskSpace } from './disk-space.ts'
import type { Answer, Order } from './embedded.ts'

/** The embedded database in its own thread; see embedded.ts for the messages. */
const port = parentPort
if (port === null) throw new Error('This module runs in a worker thread.')
const library = import('@electric-sql/pglite')
let lite: PGlite | null = null
/** Null in memory. */
let diskSpace: DiskSpace | null = null
/** True if changes are rejected because the disk is nearly full. */
let isReadOnly = false
let isInTransaction = false

async function open({ dataDir, image, program }: Order & { kind: 'open' }): Promise<PGlite> {
  const { PGlite } = await library
  const opened = await PGlite.create({
    dataDir,
    pgliteWasmModule: program,
    ...(image ? { loadDataDir: image } : {}),
  })
  // Zero-filling and recycling log segments only prepare for flushes, which never happen; they
  // paused the database for 0.1 s at a time.
  await opened.exec('set wal_init_zero = off; set wal_recycle = off')
  return opened
}

async function obey(order: Order): Promise<Uint8Array | Blob | null> {
  if (order.kind === 'open') {
    lite = await open(order)
    diskSpace =
      order.reserveBytes === null ? null : new DiskSpace(order.dataDir, order.reserveBytes)
    return null
  }
  if (order.kind === 'reserve') {
    if (diskSpace) diskSpace.reserveBytes = order.bytes
    diskSpace?.forget()
    return null
  }
  if (order.kind === 'close') {
    await lite?.close()
    lite = null
    return null
  }
  if (lite === null) throw new Error('The embedded database is not open.')
  if (order.kind === 'dump') return lite.dumpDataDir('none')
  await refuseWhenFull(lite)
  const answer = await lite.execProtocolRaw(order.bytes)
  isInTransaction = saysInTransaction(answer) ?? isInTransaction
  return answer
}

/** A session setting applies from the next transaction on, so it is changed between two. */
async function refuseWhenFull(lite: PGlite): Promise<void> {
  if (!diskSpace || isInTransaction) return
  const isShort = await diskSpace.isShort()
  if (isShort === isReadOnly) return
  await lite.exec(`set default_transaction_read_only = ${isShort ? 'on' : 'off'}`)
  isReadOnly = isShort
}

/**
 * Reads a final ReadyForQuery: `Z`, a length of 5, and I, T or E. Null if the response does not end
 * with it.
 */
function saysInTransaction(answer: Uint8Array): boolean | null {
  const [kind, , , , length, status] = answer.subarray(-6)
  if (kind !== 0x5a || length !== 5) return null
  return status !== 0x49
}

/** Bytes of a message for transfer; a view of a larger buffer is copied. */
function alone(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength
  return isWhole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}

// Sequential, because the database is a single connection.
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
