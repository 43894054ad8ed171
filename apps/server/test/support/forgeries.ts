import { canonicalize, H } from '@liquidity-os/evidence'
import {
  type BundleKind,
  type BundleParts,
  bundleOf,
  claimEntry,
  emptySlot,
  type GenuineBundle,
  packed,
  seal,
} from './genuine-bundle.ts'
import { word } from './trie.ts'

/** Tampered bundles, with the expected verifier results. */

type Json = ReturnType<typeof JSON.parse>
export interface Forgery {
  readonly name: string
  readonly bytes: Buffer
}
/** A change of files without access to keys: the manifest is repaired, the rest is not. */
type Change = (files: Map<string, Uint8Array>) => void

const jsonOf = (files: ReadonlyMap<string, Uint8Array>, path: string): Json =>
  JSON.parse(Buffer.from(files.get(path) ?? '').toString())

export function forged({ files }: GenuineBundle, name: string, change: Change): Forgery {
  const changed = new Map(files)
  change(changed)
  return { name, bytes: packed(changed) }
}

/** The bundle with the JSON of one file changed. */
export const edited = (
  bundle: GenuineBundle,
  path: string,
  name: string,
  edit: (value: Json) => unknown,
): Forgery =>
  forged(bundle, name, (files) => {
    const value = jsonOf(files, path)
    edit(value)
    files.set(path, Buffer.from(canonicalize(value)))
  })

/** One digit replaced: the first in the second half of the file, or else the last one. */
function withOtherDigit(content: Uint8Array): Uint8Array | null {
  const text = Buffer.from(content).toString('latin1')
  const half = text.slice(text.length >> 1).search(/[0-9]/)
  const index = half >= 0 ? (text.length >> 1) + half : text.search(/[0-9](?=[^0-9]*$)/)
  if (index < 0) return null
  const changed = Buffer.from(content)
  changed[index]! ^= 1
  return changed
}

export const fileChanges = ['altered', 'emptied', 'removed', 'swapped'] as const
export type FileChange = (typeof fileChanges)[number]

/** Every way to empty a file: no bytes, or JSON without content. */
export const emptyForms = ['', '{}', '[]', 'null', '""', '0']

/** One file of a bundle altered, emptied, removed, or replaced by that of another bundle of the same keys. */
export function fileForgeries(
  bundle: GenuineBundle,
  other: GenuineBundle,
  path: string,
  forms: readonly string[] = emptyForms,
): Record<FileChange, Forgery[]> {
  const content = bundle.files.get(path)!
  const altered = withOtherDigit(content)
  const swapped = other.files.get(path)
  const put = (name: string, bytes: Uint8Array) =>
    forged(bundle, `${path} ${name}`, (files) => files.set(path, bytes))
  const isSame = (bytes: Uint8Array) => Buffer.from(bytes).equals(Buffer.from(content))
  return {
    altered: altered ? [put('altered', altered)] : [],
    emptied: forms
      .map((form) => Buffer.from(form))
      .filter((form) => !isSame(form))
      .map((form) => put(`emptied to "${form}"`, form)),
    removed: [forged(bundle, `${path} removed`, (files) => files.delete(path))],
    swapped: swapped && !isSame(swapped) ? [put('swapped', swapped)] : [],
  }
}

/** A list with its last part dropped, emptied, or cut to its first part. */
function truncations<T>(list: readonly T[]): [string, T[]][] {
  const cut: [string, T[]][] = [
    ['emptied', []],
    ['without its last part', list.slice(0, -1)],
    ['cut to its first part', list.slice(0, 1)],
  ]
  return cut.filter(
    ([name, { length }]) => length < list.length && (name === 'emptied' || length > 0),
  )
}

/** The proofs of chain files truncated, and slots claimed to be zero with an empty proof. */
export function chainForgeries(bundle: GenuineBundle): Forgery[] {
  const paths = [...bundle.files.keys()].filter((path) => path.startsWith('chain/'))
  return paths.flatMap((path) => {
    const { accounts } = jsonOf(bundle.files, path)
    const edit = (name: string, change: (value: Json) => unknown) =>
      edited(bundle, path, `${path}: ${name}`, change)
    return [
      edit('accounts emptied', (value) => (value.accounts = [])),
      edit('header emptied', (value) => (value.header = '0x')),
      ...accounts.flatMap(({ accountProof, storage }: Json, account: number) => [
        ...truncations(accountProof).map(([how, proof]) =>
          edit(`account proof ${account} ${how}`, (value) => {
            value.accounts[account].accountProof = proof
          }),
        ),
        edit(`account ${account} removed`, (value) => value.accounts.splice(account, 1)),
        edit(`slots of account ${account} removed`, (value) => {
          value.accounts[account].storage = []
        }),
        ...storage.flatMap(({ proof, value: stored }: Json, slot: number) => [
          ...truncations(proof).map(([how, nodes]) =>
            edit(`storage proof ${account}/${slot} ${how}`, (value) => {
              value.accounts[account].storage[slot].proof = nodes
            }),
          ),
          ...(BigInt(stored) === 0n
            ? []
            : [
                edit(`slot ${account}/${slot} zero with an empty proof`, (value) => {
                  Object.assign(value.accounts[account].storage[slot], {
                    value: word(0n),
                    proof: [],
                  })
                }),
                edit(`slot ${account}/${slot} zero with its proof`, (value) => {
                  value.accounts[account].storage[slot].value = word(0n)
                }),
              ]),
          edit(`slot ${account}/${slot} removed`, (value) =>
            value.accounts[account].storage.splice(slot, 1),
          ),
        ]),
      ]),
    ]
  })
}

/** Other proofs and lists truncated, with the check that fails. */
export function listForgeries(bundle: GenuineBundle): [fails: string, Forgery][] {
  const edit = (path: string, what: string, change: (value: Json) => unknown) =>
    edited(bundle, path, `${path}: ${what}`, change)
  const proofPath = 'log/passport.tlog-proof'
  const [head = '', ...note] = Buffer.from(bundle.files.get(proofPath)!).toString().split('\n\n')
  const lines = head.split('\n')
  const inclusion = truncations(lines.slice(3)).map(([how, path]): [string, Forgery] => [
    'B6',
    forged(bundle, `${proofPath}: path ${how}`, (files) => {
      const text = [[...lines.slice(0, 3), ...path].join('\n'), ...note].join('\n\n')
      files.set(proofPath, Buffer.from(text))
    }),
  ])
  const consistency = truncations(jsonOf(bundle.files, 'log/consistency.json').path)
  const handovers = truncations(jsonOf(bundle.files, 'log/handovers.json')[0].path)
  return [
    ...inclusion,
    ...consistency.map(([how, path]): [string, Forgery] => [
      'B8',
      edit('log/consistency.json', `path ${how}`, (value) => (value.path = path)),
    ]),
    ...handovers.map(([how, path]): [string, Forgery] => [
      'B8',
      edit('log/handovers.json', `path ${how}`, (value) => (value[0].path = path)),
    ]),
    [
      'B8',
      edit('log/consistency.json', 'another earlier root', (value) => {
        value.fromRoot = H('root', 1)
      }),
    ],
    ['B8', edit('log/consistency.json', 'earlier root removed', (value) => delete value.fromRoot)],
    ['B8', edit('log/consistency.json', 'another path', (value) => (value.path[0] = H('node', 1)))],
    ['B8', edit('log/consistency.json', 'another earlier size', (value) => (value.fromSize = 5))],
    ...['receipts/receipts.json', 'sources/anomalies.json', 'sources/ledgerEntries.json'].map(
      (path): [string, Forgery] => [
        'B10',
        edit(path, 'id of the last record altered, its hash repaired', (value) => {
          const { resourceType, payload } = value.at(-1)
          value[value.length - 1] = seal('z', resourceType, payload)
        }),
      ],
    ),
    ...authorizationForgeries(bundle).map((forgery): [string, Forgery] => ['B5', forgery]),
    ['B15', edit('revocations.json', 'revocations emptied', (value) => (value.revocations = []))],
    ['B14', edit('artifacts.json', 'statement of the JSON removed', (value) => value.shift())],
    ['B14', edit('artifacts.json', 'unsigned member added', (value) => (value[0].note = 'x'))],
    ['B14', edit('keys.json', 'keys of the service removed', (value) => (value.service = []))],
    ['B10', edit('keys.json', 'handovers removed', (value) => delete value.log.handovers)],
    ['B13', edit('keys.json', 'key of the registry removed', (value) => delete value.registry)],
    ...['receipts/receipts.json', 'sources/anomalies.json', 'sources/ledgerEntries.json'].map(
      (path): [string, Forgery] => [
        'B10',
        edit(path, 'first record replaced by its hash', (value) => {
          const { artifactHash, createdAt, id } = value[0]
          value[0] = { artifactHash, createdAt, id }
        }),
      ],
    ),
    ['B10', edit('receipts/receipts.json', 'last record removed', (value) => value.pop())],
    ['B10', edit('receipts/receipts.json', 'order reversed', (value) => value.reverse())],
    [
      'B10',
      forged(bundle, 'sources/extra.json added', (files) =>
        files.set('sources/extra.json', Buffer.from('{}')),
      ),
    ],
    ['B1', forged(bundle, 'extra.txt added', (files) => files.set('extra.txt', Buffer.from('x')))],
  ]
}

/** Authorizations of the key by the owners of the Safe; they are read if the reader does not know the key. */
export const authorizationForgeries = (bundle: GenuineBundle): Forgery[] => {
  const edit = (what: string, change: (authorization: Json) => unknown) =>
    edited(bundle, 'keys.json', `keys.json: ${what}`, (value) => change(value.authorization))
  return [
    edit('signatures of the owners emptied', (value) => (value.signatures = '0x')),
    edit('one signature of the owners', (value) => {
      value.signatures = value.signatures.slice(0, 2 + 130)
    }),
    edit('one signature of the owners twice', (value) => {
      const one = value.signatures.slice(2, 2 + 130)
      value.signatures = `0x${one}${one}`
    }),
    edit('another time of the authorization', (value) => (value.issuedAt = '2026-01-01T00:00:01Z')),
    edit('another version of the Safe', (value) => (value.version = '1.3.0')),
  ]
}

/** False claims that an issuer can make itself: all hashes and signatures are valid. */
const lies: [fails: string, name: string, kind: BundleKind, lie: (parts: BundleParts) => void][] = [
  [
    'B12',
    'threshold 0, with an empty proof',
    'disclosed',
    ({ vault, chain }) => {
      vault.control.threshold = 0
      emptySlot(chain[0]!, 4n)
    },
  ],
  [
    'B12',
    'nonce 0, with an empty proof',
    'withheld',
    ({ vault, chain }) => {
      vault.control.nonce = '0'
      emptySlot(chain[0]!, 5n)
    },
  ],
  [
    'B12',
    'another threshold than on chain',
    'disclosed',
    ({ vault }) => (vault.control.threshold = 1),
  ],
  ['B12', 'an owner left out', 'disclosed', ({ vault }) => vault.control.owners.pop()],
  [
    'B12',
    'another liquidity than on chain',
    'disclosed',
    ({ pool }) => {
      pool.ticks[0].liquidityGross = '1'
    },
  ],
  [
    'B10',
    'a vault of a block that is not bound',
    'disclosed',
    ({ vault }) => {
      vault.snapshot.hash = H('block', 1)
    },
  ],
  [
    'B10',
    'another block bound than was read',
    'withheld',
    ({ bindings }) => {
      const [hash, timestamp] = [H('block', 1), '2026-01-05T11:00:00Z']
      bindings.blocks = [{ chainId: 31337, number: 1, hash, timestamp }]
    },
  ],
  ['B2', 'no block bound', 'withheld', ({ bindings }) => (bindings.blocks = [])],
  ['B2', 'no observation bound', 'withheld', ({ bindings }) => (bindings.venueObservations = [])],
  [
    'B10',
    'another vault named than bound',
    'withheld',
    ({ claims }) => (claims.vaultId = 'vault_2'),
  ],
  [
    'B10',
    'receipts counted as none under a root',
    'withheld',
    ({ bindings }) => {
      bindings.receipts = { count: 0, root: H('root', 1) }
    },
  ],
  ['B2', 'limits of null', 'disclosed', ({ claims }) => (claims.policyLimits = null)],
  ['B2', 'limits without fields', 'disclosed', ({ claims }) => (claims.policyLimits = {})],
  ['B11', 'limits left out', 'disclosed', ({ claims }) => (claims.policyLimits = undefined)],
  [
    'B11',
    'limits without the lowest price',
    'disclosed',
    ({ policy }) => {
      policy.minimumPriceX18 = '1'
    },
  ],
  [
    'B11',
    'a limit that the policy does not have',
    'disclosed',
    ({ policy }) => {
      policy.maximumDailyTurnover = '1'
    },
  ],
  [
    'B11',
    'full compliance despite a violation',
    'disclosed',
    ({ claims }) => {
      claims.policyCompliancePips = 1_000_000
    },
  ],
  [
    'B11',
    'compliance without receipts',
    'withheld',
    ({ claims }) => {
      claims.policyCompliancePips = 1_000_000
    },
  ],
  [
    'B11',
    'a log that counts twice as many executions',
    'disclosed',
    (parts) => {
      parts.executions = { compliant: 2, violating: 2, indeterminate: 0 }
    },
  ],
  [
    'B11',
    'a log that counts executions where there are none',
    'withheld',
    (parts) => {
      parts.executions = { compliant: 0, violating: 0, indeterminate: 1 }
    },
  ],
  [
    'B11',
    'no incident despite a critical one',
    'disclosed',
    ({ claims }) => {
      claims.majorIncidentCount = 0
    },
  ],
  [
    'B11',
    'incident details left out',
    'disclosed',
    ({ claims }) => (claims.incidentDetails = undefined),
  ],
  [
    'B11',
    'incident details emptied',
    'disclosed',
    ({ claims }) => {
      claims.incidentDetails = { v1IncidentEvidenceHashes: [], anomalies: [] }
    },
  ],
  [
    'B11',
    'incident details of lower severity',
    'disclosed',
    ({ claims, anomalies }) => {
      const [{ artifactHash }] = anomalies
      const anomaly = {
        detectorVersion: 'robust-mad-v1',
        kind: 'DEPTH',
        severity: 'INFO',
        artifactHash,
      }
      claims.incidentDetails = { v1IncidentEvidenceHashes: [], anomalies: [anomaly] }
    },
  ],
  [
    'B11',
    'treasury figures left out',
    'disclosed',
    ({ claims }) => {
      claims.treasuryOwnedLiquidityQuote = undefined
    },
  ],
  [
    'B11',
    'more owned liquidity than its positions hold',
    'disclosed',
    ({ claims }) => (claims.treasuryOwnedLiquidityQuote = '2'),
  ],
  [
    'B11',
    'a position that holds more than its entry',
    'disclosed',
    ({ claims, positions }) => {
      claims.treasuryOwnedLiquidityQuote = '5'
      positions.positions[0].quote = '5'
    },
  ],
  [
    'B11',
    'a position counted twice',
    'disclosed',
    ({ claims, positions }) => {
      claims.treasuryOwnedLiquidityQuote = '2'
      positions.positions.push(positions.positions[0])
    },
  ],
  [
    'B11',
    'a position without a bound entry',
    'disclosed',
    ({ ledgerEntries }) => ledgerEntries.shift(),
  ],
  [
    'B11',
    'a position of an entry that is no liquidity claim',
    'disclosed',
    ({ ledgerEntries, positions }) => {
      const [first] = ledgerEntries
      ledgerEntries[0] = seal(first.id, first.resourceType, {
        ...first.payload,
        assetClass: 'STABLE',
      })
      positions.positions[0].entry.resourceVersion = ledgerEntries[0].resourceVersion
    },
  ],
  [
    'B11',
    'a position of a claim without the base token',
    'disclosed',
    ({ ledgerEntries, positions }) => {
      const [first] = ledgerEntries
      const [quoteLeg] = first.payload.observed.legs
      ledgerEntries[0] = seal(first.id, first.resourceType, {
        ...first.payload,
        observed: { legs: [quoteLeg] },
      })
      positions.positions[0].entry.resourceVersion = ledgerEntries[0].resourceVersion
    },
  ],
  [
    'B11',
    'a position of another account',
    'disclosed',
    ({ positions }) => (positions.positions[0].container = 'eip155:31337:0x0'),
  ],
  [
    'B11',
    'a position read at another block than its entry',
    'disclosed',
    ({ positions }) => (positions.positions[0].block.hash = H('block', 1)),
  ],
  [
    'B11',
    'a position read more than a day before',
    'disclosed',
    ({ ledgerEntries, positions }) => {
      const [first] = ledgerEntries
      const { hash, number } = positions.positions[0].block
      const point = { hash, number, timestamp: '2026-01-04T11:59:59.000Z' }
      ledgerEntries[0] = claimEntry(first.id, point, '1')
      positions.positions[0].entry.resourceVersion = ledgerEntries[0].resourceVersion
      positions.positions[0].block.timestamp = '2026-01-04T11:59:59Z'
    },
  ],
  [
    'B11',
    'a position whose evidence had ended',
    'disclosed',
    ({ positions }) => (positions.positions[0].control.until = '2026-01-05T12:00:00Z'),
  ],
  [
    'B11',
    'owned liquidity in another quote',
    'disclosed',
    ({ positions }) => (positions.quote = 'eip155:31337/erc20:0x0'),
  ],
  [
    'B11',
    'a log that names positions against the disclosure',
    'withheld',
    (parts) => (parts.positions = { positions: [] }),
  ],
  [
    'B11',
    'treasury figures against the disclosure',
    'withheld',
    ({ claims }) => {
      claims.treasuryOwnedLiquidityQuote = '1'
    },
  ],
  [
    'B11',
    'reconciled positions without a reconciliation',
    'withheld',
    ({ claims }) => {
      claims.reconciledPositionCount = 3
    },
  ],
  [
    'B11',
    'another reliability than the score',
    'disclosed',
    ({ claims }) => {
      claims.historicalReliabilityPips = 1_000_000
    },
  ],
  [
    'B11',
    'reconciled positions without equal sides',
    'disclosed',
    ({ evidence }) => {
      evidence.treasury.lines[0].chain = '51'
    },
  ],
  [
    'B11',
    'a reconciled position of one side',
    'disclosed',
    ({ evidence }) => {
      evidence.treasury.lines[0].chain = null
    },
  ],
  [
    'B11',
    'more reconciled positions than lines',
    'disclosed',
    ({ claims }) => {
      claims.reconciledPositionCount = 3
    },
  ],
  [
    'B11',
    'a reconciled line counted twice',
    'disclosed',
    ({ claims, evidence: { treasury } }) => {
      treasury.lines.push(treasury.lines[0])
      claims.reconciledPositionCount = 3
    },
  ],
  [
    'B10',
    'a log that names another reconciliation',
    'disclosed',
    ({ evidence }) => {
      evidence.reconciliation = null
    },
  ],
  [
    'B11',
    'another time of the reconciliation than logged',
    'disclosed',
    ({ evidence, bindings }) => {
      const reconciliation = { id: 'reconciliation_1', resourceVersion: H('reconciliation', 1) }
      bindings.reconciliation = reconciliation
      evidence.reconciliation = { ...reconciliation, asOf: '2026-01-05T11:58:00Z' }
    },
  ],
  [
    'B11',
    'another rented liquidity than its venues hold',
    'disclosed',
    ({ claims }) => (claims.rentedLiquidityQuote = '1'),
  ],
  [
    'B11',
    'rented liquidity without a venue',
    'disclosed',
    ({ evidence }) => {
      evidence.treasury.rentedObservations = []
    },
  ],
  [
    'B11',
    'rented liquidity of an observation that is not bound',
    'disclosed',
    ({ evidence }) => {
      evidence.treasury.rentedObservations[0].id = 'observation_2'
    },
  ],
  [
    'B11',
    'less with external managers than their entries hold',
    'disclosed',
    ({ claims }) => (claims.externalManagerExposureQuote = '0'),
  ],
  [
    'B11',
    'another price than that of the pool',
    'disclosed',
    ({ evidence }) => {
      evidence.treasury.price.num = '2'
    },
  ],
  ['B11', 'a manager left out', 'disclosed', ({ claims }) => (claims.externalManagerNames = [])],
  [
    'B11',
    'a mandate that is not bound',
    'disclosed',
    ({ evidence }) => {
      const mandate = { id: 'mandate_1', resourceVersion: H('mandate', 1) }
      evidence.managers.mandates = [{ mandate, name: 'Custodian' }]
    },
  ],
  [
    'B11',
    'own tokens at more than a sale gives',
    'disclosed',
    ({ evidence }) => {
      evidence.treasury.owned.ownTokens.realizableQuote = '40000'
    },
  ],
  [
    'B11',
    'own tokens without a value that a sale gives',
    'disclosed',
    ({ evidence }) => {
      evidence.treasury.owned.ownTokens.realizableQuote = null
    },
  ],
  [
    'B11',
    'a quote balance above its entries',
    'disclosed',
    ({ evidence }) => {
      evidence.treasury.owned.quoteBalance = '51'
    },
  ],
  [
    'B11',
    'a balance of an entry above its record',
    'disclosed',
    ({ evidence: { treasury } }) => {
      treasury.owned.quoteBalance = '51'
      treasury.idle[0].quote = '51'
    },
  ],
  [
    'B11',
    'a balance counted twice',
    'disclosed',
    ({ evidence: { treasury } }) => {
      treasury.owned.quoteBalance = '100'
      treasury.idle.push(treasury.idle[0])
    },
  ],
  [
    'B11',
    'a balance of another account',
    'disclosed',
    ({ evidence: { treasury }, ledgerEntries }) => {
      const { id, resourceVersion } = ledgerEntries[3]
      treasury.owned.quoteBalance = '70'
      Object.assign(treasury.idle[0], { entry: { id, resourceVersion }, quote: '70' })
    },
  ],
  ...(
    [
      ['a balance read more than a day before', '2026-01-04T11:59:59Z'],
      ['a balance read after the passport', '2026-01-05T12:00:01Z'],
      ['a balance that was not read on chain', null],
    ] as const
  ).map(([name, timestamp]): (typeof lies)[number] => [
    'B11',
    name,
    'disclosed',
    ({ evidence: { treasury }, ledgerEntries }) => {
      const { id, payload } = ledgerEntries[1]
      const chains =
        timestamp === null ? [] : [{ ...payload.computation.snapshot.chains[0], timestamp }]
      ledgerEntries[1] = seal(id, 'TreasuryEntry', {
        ...payload,
        computation: { snapshot: { chains } },
      })
      treasury.idle[0].entry.resourceVersion = ledgerEntries[1].resourceVersion
    },
  ]),
  [
    'B11',
    'a balance whose evidence had ended',
    'disclosed',
    ({ evidence: { treasury } }) => {
      const { evidence } = treasury.idle[0].control
      treasury.idle[0].control = { evidence, until: '2026-01-05T12:00:00Z' }
    },
  ],
  [
    'B11',
    'positions that hold other own tokens',
    'disclosed',
    ({ evidence }) => {
      evidence.treasury.owned.positions.base = '901'
    },
  ],
  [
    'B11',
    'balances in another token',
    'disclosed',
    ({ evidence }) => {
      evidence.treasury.quote = 'eip155:31337/erc20:0x0'
    },
  ],
  [
    'B11',
    'a log that names a treasury against the disclosure',
    'withheld',
    ({ evidence }) => {
      const [token, none] = ['eip155:1/erc20:0x0', '0']
      evidence.treasury = {
        base: token,
        quote: token,
        price: { num: '1', den: '1' },
        owned: {
          positions: { base: none, quote: none },
          quoteBalance: none,
          ownTokens: { base: none, realizableQuote: none },
        },
        idle: [],
        rentedObservations: [],
        lines: [],
      }
    },
  ],
  [
    'B11',
    'a log that names managers against the disclosure',
    'withheld',
    ({ evidence }) => {
      evidence.managers = { mandates: [], custodians: [] }
    },
  ],
  [
    'B11',
    'claim evidence without its treasury',
    'disclosed',
    ({ evidence }) => delete evidence.treasury,
  ],
  [
    'B11',
    'another reliability than its samples',
    'disclosed',
    ({ samples }) => {
      samples.runs[0].samples = 99
    },
  ],
  [
    'B11',
    'a run of samples on the wrong side of the limit',
    'disclosed',
    ({ samples }) => {
      samples.runs[1].worstSlippagePips = 20_000
    },
  ],
  [
    'B11',
    'samples after the window',
    'disclosed',
    ({ samples }) => {
      samples.runs[2].to = 1_767_614_400
    },
  ],
  [
    'B11',
    'samples of a wider limit',
    'disclosed',
    ({ samples }) => {
      samples.usableSlippagePips = 21_000
      samples.runs[1].worstSlippagePips = 22_000
    },
  ],
  ['B11', 'a lower age', 'withheld', ({ claims }) => (claims.dataFreshnessSeconds = 1)],
  [
    'B13',
    'a registry without a receipt',
    'withheld',
    ({ claims }) => {
      claims.resultsRegistryProviderId = 'registry'
    },
  ],
  [
    'B2',
    'a list in the place of a hash',
    'withheld',
    ({ claims }) => {
      claims.reportHashes = [[H('report', 1)]]
    },
  ],
  [
    'B2',
    'true in the place of a number',
    'withheld',
    ({ claims }) => {
      claims.majorIncidentCount = true
    },
  ],
]

export const issuerLies = (): Promise<[fails: string, Forgery][]> =>
  Promise.all(
    lies.map(async ([fails, name, kind, lie]): Promise<[string, Forgery]> => {
      const { bytes } = await bundleOf(kind, 1, lie)
      return [fails, { name, bytes }]
    }),
  )

/** Changes that all verifiers accept, each with the reason. */
export function acceptedChanges(bundle: GenuineBundle): [reason: string, Forgery][] {
  const nothingBinds = 'No signature binds it, which B1 says. Take the verifier from its source.'
  const mayLack = 'A bundle may lack it. The check that reads it says NOT_CHECKED.'
  const remove = (path: string): [string, Forgery] => [
    mayLack,
    forged(bundle, `${path} removed`, (files) => files.delete(path)),
  ]
  return [
    ...['README.txt', 'verify.mjs'].map((path): [string, Forgery] => [
      nothingBinds,
      forged(bundle, `${path} replaced or removed`, (files) => files.delete(path)),
    ]),
    ...['chain/0.json', 'chain/1.json', 'receipts/receipts.json'].map(remove),
    ...['sources/anomalies.json', 'sources/ledgerEntries.json'].map(remove),
    [
      'The bundle claims less: B14 counts the files that are named.',
      edited(bundle, 'artifacts.json', 'statement of another format removed', (value) =>
        value.pop(),
      ),
    ],
    [
      'The bundle claims less. Without --issuer-key B5 says NOT_CHECKED.',
      edited(
        bundle,
        'keys.json',
        'keys.json: authorization removed',
        (value) => delete value.authorization,
      ),
    ],
    [
      'The bundle claims less: the issuer named the key that signs. With --log-key of the earlier key, B7 fails.',
      forged(bundle, 'handovers removed from keys.json, with log/handovers.json', (files) => {
        const keys = jsonOf(files, 'keys.json')
        delete keys.log.handovers
        files.set('keys.json', Buffer.from(canonicalize(keys)))
        files.delete('log/handovers.json')
      }),
    ],
  ]
}
