import {
  type ChartCells,
  type ChartClass,
  type ChartSpec,
  classedSeries,
  columnsOf,
  named,
} from '@liquidity-os/drawing'
import { bytesToHex, hexToBytes, nodeHash } from '@liquidity-os/evidence'
import type { LoggedEvent } from '../proof/api.ts'
import { depthChart } from './rendering/depth-chart.ts'
import type { Pair, Payload } from './rendering/words.ts'

/** A passport and its proof-log path: the part that charts use. */
export interface DrawnPassport {
  readonly payload: Payload
  readonly pair: Pair
  /** Null until a checkpoint covers the publication. */
  readonly logged: LoggedEvent | null
  /** Checkpoints up to that of the proof, oldest first. */
  readonly heads: readonly { readonly treeSize: number; readonly rootHash: string }[]
}

/** The charts of a passport: depth, and publication in the proof log. */
export const passportCharts = (drawn: DrawnPassport): ChartSpec[] => [
  depthChart(drawn.payload, drawn.pair),
  proofChart(drawn),
]

const shorten = (hash: string) => `${hash.slice(0, 10)}…${hash.slice(-6)}`

/** From the leaf to the root, and along the checkpoints. All hashes are actual values of the proof. */
function proofChart({ payload, logged, heads }: DrawnPassport): ChartSpec {
  const empty = 'No checkpoint covers the publication yet.'
  const { inclusion, checkpoint } = logged ?? {}
  return {
    id: 'passport-proof',
    kind: 'path',
    title: 'Publication in the proof log',
    summary:
      inclusion && checkpoint
        ? `Leaf ${inclusion.leafIndex} of ${inclusion.treeSize} is connected by ${inclusion.path.length} hashes to the root ${checkpoint.rootHash}, signed by the log. Passport ${payload.contentHash}.`
        : empty,
    x: named,
    panels: logged
      ? [
          { id: 'proof', title: 'From the leaf to the root' },
          { id: 'checkpoints', title: 'Checkpoints' },
        ]
      : [],
    table: {
      columns: proofColumns,
      rows: logged ? [...proofRows(logged), ...headRows(heads, logged.checkpoint.treeSize)] : [],
    },
    series: logged ? ['proof', 'checkpoints'].map(edgeSeries) : [],
    classes: logged ? proofClasses : [],
    note: 'note',
    empty,
  }
}

const edgeSeries = (panel: string) => ({
  ...classedSeries('edge', 'Hash', ['from', 'to'], 'kind'),
  id: panel,
  where: { panel },
  panel,
})
const proofClasses: readonly ChartClass[] = [
  { value: 'LEAF', label: 'Publication', tone: 'good' },
  { value: 'ROOT', label: 'Signed root', tone: 'accent' },
]
const proofColumns = columnsOf({
  panel: 'Part',
  from: 'From',
  to: 'To',
  kind: 'Kind',
  note: 'Summary',
  hash: 'Hash',
  sibling: 'With',
  side: 'Side',
})

function proofRows({ leafHash, leaf, inclusion }: LoggedEvent): ChartCells[] {
  const steps = climb(leafHash, inclusion)
  const leafName = `Leaf ${inclusion.leafIndex}, logged ${leaf.loggedAt}: ${shorten(leafHash)}`
  const names = steps.map(({ hash }, index) =>
    index === steps.length - 1
      ? `Root of ${inclusion.treeSize} leaves: ${shorten(hash)}`
      : `Step ${index + 1}: ${shorten(hash)}`,
  )
  return [
    ['proof', leafName, null, 'LEAF', '', leafHash, '', ''],
    ...steps.map(({ hash, sibling, side }, index) => [
      ...['proof', names[index - 1] ?? leafName, names[index]!],
      ...[
        index === steps.length - 1 ? 'ROOT' : '',
        `with ${shorten(sibling)}, ${side.toLowerCase()}`,
      ],
      ...[hash, sibling, side],
    ]),
  ]
}

/** Each checkpoint continues the previous one; the path leads to the last one. */
function headRows(heads: DrawnPassport['heads'], size: number): ChartCells[] {
  const nameOf = ({ treeSize, rootHash }: DrawnPassport['heads'][number]) =>
    `${treeSize} leaves: ${shorten(rootHash)}`
  return heads.map((head, index) => {
    const before = heads[index - 1]
    return [
      ...['checkpoints', nameOf(before ?? head), before ? nameOf(head) : null],
      ...[head.treeSize === size ? 'ROOT' : '', '', head.rootHash, '', ''],
    ]
  })
}

interface Step {
  readonly hash: string
  readonly sibling: string
  readonly side: 'LEFT' | 'RIGHT'
}

/** The hashes on the path, by RFC 9162, §2.1.3.2. */
function climb(
  leafHash: string,
  { leafIndex, treeSize, path }: { leafIndex: number; treeSize: number; path: readonly string[] },
): Step[] {
  let [node, index, last] = [hexToBytes(leafHash.slice(2)), leafIndex, treeSize - 1]
  return path.map((hash) => {
    const other = hexToBytes(hash.slice(2))
    const isLeftChild = index % 2 === 1 || index === last
    node = new Uint8Array(isLeftChild ? nodeHash(other, node) : nodeHash(node, other))
    if (isLeftChild) {
      while (index % 2 === 0 && index !== 0) {
        index /= 2
        last = Math.floor(last / 2)
      }
    }
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
    return { hash: `0x${bytesToHex(node)}`, sibling: hash, side: isLeftChild ? 'LEFT' : 'RIGHT' }
  })
}
