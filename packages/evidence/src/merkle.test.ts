import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { H, type Hash } from './hash.ts'
import { hexToBytes } from './hex.ts'
import {
  makeConsistencyProof,
  makeInclusionProof,
  merkleLeafHash,
  merkleRoot,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts'

/** The eight leaves that Certificate Transparency implementations test with. */
const publishedLeaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map(hexToBytes)

/** Their roots for the first one, two, … eight leaves. */
const publishedRoots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const leafOf = (index: number): Uint8Array => new TextEncoder().encode(`leaf ${index}`)
const leavesOf = (size: number): Uint8Array[] => Array.from({ length: size }, (_, i) => leafOf(i))

/** The definition of RFC 6962, §2.1, written again from its text. */
function definedRoot(leaves: readonly Uint8Array[]): Buffer {
  const digest = (...parts: Uint8Array[]): Buffer =>
    createHash('sha256').update(Buffer.concat(parts)).digest()
  if (leaves.length === 0) return digest()
  if (leaves.length === 1) return digest(Buffer.from([0]), leaves[0] ?? new Uint8Array())
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  const left = definedRoot(leaves.slice(0, split))
  return digest(Buffer.from([1]), left, definedRoot(leaves.slice(split)))
}

describe('merkleRoot', () => {
  it('gives the published roots', () => {
    const roots = publishedRoots.map((_, index) => merkleRoot(publishedLeaves.slice(0, index + 1)))
    expect(roots).toEqual(publishedRoots.map((root) => `0x${root}`))
  })

  it('gives SHA-256 of nothing for no leaves', () => {
    const empty = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    expect(merkleRoot([])).toBe(empty)
  })

  it('follows the definition at every size to 70', () => {
    for (let size = 0; size <= 70; size++) {
      expect(merkleRoot(leavesOf(size))).toBe(`0x${definedRoot(leavesOf(size)).toString('hex')}`)
    }
  })

  it('gives a leaf its own domain', () => {
    expect(merkleRoot([leafOf(0)])).toBe(merkleLeafHash(leafOf(0)))
  })
})

describe('inclusion', () => {
  it('holds for every leaf of every size to 40, at its own place only', () => {
    for (let size = 1; size <= 40; size++) {
      const leaves = leavesOf(size)
      const root = merkleRoot(leaves)
      for (let index = 0; index < size; index++) {
        const proof = makeInclusionProof(leaves, index)
        expect(verifyInclusion(leafOf(index), proof, root)).toBe(true)
        expect(verifyInclusion(leafOf(index + 1), proof, root)).toBe(false)
        for (let other = 0; other < size; other++) {
          const moved = { ...proof, leafIndex: other }
          expect(verifyInclusion(leafOf(index), moved, root)).toBe(other === index)
        }
      }
    }
  })

  it('matches the published path of leaf 5 of 8', () => {
    const proof = makeInclusionProof(publishedLeaves, 5)
    expect(proof.path).toEqual([
      '0xbc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      '0xca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      '0xd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ])
  })

  it('fails for a path that is altered, cut, extended or malformed', () => {
    const leaves = leavesOf(11)
    const root = merkleRoot(leaves)
    const proof = makeInclusionProof(leaves, 6)
    const other = H('test/v1', 'other')
    const paths: Hash[][] = [
      ...proof.path.map((_, at) => proof.path.with(at, other)),
      proof.path.slice(1),
      proof.path.slice(0, -1),
      [...proof.path, other],
      [],
      ['0x' as Hash, ...proof.path.slice(1)],
    ]
    for (const path of paths) {
      expect(verifyInclusion(leafOf(6), { ...proof, path }, root)).toBe(false)
    }
    expect(verifyInclusion(leafOf(6), proof, other)).toBe(false)
    for (const leafIndex of [-1, 11, 6.5, Number.NaN]) {
      expect(verifyInclusion(leafOf(6), { ...proof, leafIndex }, root)).toBe(false)
    }
  })

  it('cannot be made for a leaf that is not there', () => {
    expect(() => makeInclusionProof(leavesOf(3), 3)).toThrow(RangeError)
    expect(() => makeInclusionProof([], 0)).toThrow(RangeError)
  })
})

describe('consistency', () => {
  it('holds between all sizes to 40', () => {
    const roots = Array.from({ length: 41 }, (_, size) => merkleRoot(leavesOf(size)))
    for (let size = 1; size <= 40; size++) {
      for (let from = 1; from <= size; from++) {
        const proof = makeConsistencyProof(leavesOf(size), from)
        const [earlier, root, other] = [roots[from]!, roots[size]!, roots[from - 1]!] // 41 roots
        expect(verifyConsistency(proof, earlier, root)).toBe(true)
        expect(verifyConsistency(proof, other, root)).toBe(false)
        expect(verifyConsistency(proof, earlier, other)).toBe(false)
      }
    }
  })

  it('fails for a log that was rewritten', () => {
    const earlier = merkleRoot(leavesOf(5))
    const forked = leavesOf(9).with(2, leafOf(99))
    expect(verifyConsistency(makeConsistencyProof(forked, 5), earlier, merkleRoot(forked))).toBe(
      false,
    )
  })

  it('fails for a path that is altered, cut or extended', () => {
    const leaves = leavesOf(13)
    const [earlier, root] = [merkleRoot(leavesOf(6)), merkleRoot(leaves)]
    const proof = makeConsistencyProof(leaves, 6)
    const other = H('test/v1', 'other')
    const paths: Hash[][] = [
      ...proof.path.map((_, at) => proof.path.with(at, other)),
      proof.path.slice(1),
      proof.path.slice(0, -1),
      [...proof.path, other],
      [],
    ]
    for (const path of paths) {
      expect(verifyConsistency({ ...proof, path }, earlier, root)).toBe(false)
    }
    expect(verifyConsistency({ ...proof, fromSize: 14 }, earlier, root)).toBe(false)
  })
})
