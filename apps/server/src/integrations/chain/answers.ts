import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { slicesInTurns } from './in-turns.ts'

const quantity = Type.String({ pattern: '^0x[0-9a-fA-F]{1,64}$' })
/**
 * Not a pattern over digit pairs: backtracking over six million repetitions can overflow the stack.
 */
const bytes = Type.Refine(
  Type.String(),
  (text) => text.length % 2 === 0 && text.startsWith('0x') && !/[^0-9a-fA-F]/.test(text.slice(2)),
)
const word = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' })
const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
/** Neither blocks nor logs are more. */
const place = Type.String({ pattern: '^0x[0-9a-fA-F]{1,12}$' })
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const log = Type.Object({
  address,
  topics: Type.Array(word, { maxItems: 4 }),
  data: bytes,
  blockNumber: place,
  blockHash: word,
  logIndex: place,
  transactionHash: word,
  removed: Type.Optional(Type.Boolean()),
})

/** A log of a simulation, without block or index. */
const looseLog = Type.Object({ address, topics: Type.Array(word, { maxItems: 4 }), data: bytes })

const transaction = Type.Object({
  hash: word,
  blockHash: orNull(word),
  from: address,
  to: Type.Optional(orNull(address)),
  value: Type.Optional(quantity),
  input: Type.Optional(bytes),
  nonce: Type.Optional(quantity),
})

const receipt = Type.Object({
  transactionHash: word,
  blockHash: word,
  blockNumber: place,
  transactionIndex: Type.Optional(place),
  from: Type.Optional(address),
  to: Type.Optional(orNull(address)),
  contractAddress: Type.Optional(orNull(address)),
  status: Type.Optional(quantity),
  gasUsed: Type.Optional(quantity),
  effectiveGasPrice: Type.Optional(quantity),
  l1Fee: Type.Optional(orNull(quantity)),
  logs: Type.Array(log),
})

/** Response schemas per method. The reader of headers validates them. */
const schemas: Readonly<Record<string, TSchema>> = {
  eth_chainId: quantity,
  eth_getBalance: quantity,
  eth_getTransactionCount: quantity,
  eth_getCode: bytes,
  eth_call: bytes,
  eth_getStorageAt: bytes,
  eth_getProof: Type.Object({
    accountProof: Type.Array(bytes, { maxItems: 64 }),
    storageProof: Type.Array(
      Type.Object({ key: quantity, proof: Type.Array(bytes, { maxItems: 64 }) }),
      { maxItems: 64 },
    ),
  }),
  eth_createAccessList: Type.Object({
    accessList: Type.Optional(
      Type.Array(Type.Object({ address, storageKeys: Type.Array(word, { maxItems: 64 }) }), {
        maxItems: 64,
      }),
    ),
  }),
  eth_simulateV1: Type.Array(
    Type.Object({
      calls: Type.Array(
        Type.Object({
          status: quantity,
          returnData: bytes,
          gasUsed: quantity,
          logs: Type.Optional(Type.Array(looseLog, { maxItems: 20_000 })),
          error: Type.Optional(Type.Object({ data: Type.Optional(bytes) })),
        }),
        { maxItems: 200 },
      ),
    }),
    { maxItems: 8 },
  ),
  debug_traceCall: Type.Object({
    type: Type.String({ maxLength: 40 }),
    gasUsed: quantity,
    output: Type.Optional(bytes),
  }),
  eth_getTransactionByHash: orNull(transaction),
  eth_getTransactionReceipt: orNull(receipt),
  web3_clientVersion: Type.String(),
}

const forms = new Map<string, ReturnType<typeof Compile>>()
const logForm = Compile(log)

/**
 * True if a response has the form that its method requires: provider data are untrusted. Long log
 * lists are checked in several turns of the event loop.
 */
export async function isAnswer(method: string, answer: unknown): Promise<boolean> {
  if (method === 'eth_getLogs') return areLogs(answer)
  const schema = schemas[method]
  if (schema === undefined) return true
  const form = forms.get(method) ?? Compile(schema)
  forms.set(method, form)
  return form.Check(answer)
}

async function areLogs(answer: unknown): Promise<boolean> {
  if (!Array.isArray(answer)) return false
  for await (const slice of slicesInTurns(answer)) {
    if (!slice.every((one) => logForm.Check(one))) return false
  }
  return true
}
