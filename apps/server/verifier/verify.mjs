#!/usr/bin/env node
/**
 * Verifies the bundle of a liquidity passport offline: one file, no dependency. The checks and their algorithms are
 * written out in docs/methodology/passport-verification.md. Each is PASS, FAIL, NOT_CHECKED (something is missing) or
 * ASSERTED (a statement that the bundle does not prove). Three answers sum them up. The exit status is 0 only if
 * nothing fails.
 */
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const USAGE = `Usage: node verify.mjs BUNDLE.zip [options]

  --issuer-key HEX          SHA-256 of the issuer's raw public key, from a source other than the bundle
  --known-checkpoint FILE   an earlier checkpoint of the log; the log must extend it
  --log-key NAME+ID+KEY     a current or former key of the log (c2sp.org/signed-note)
  --witness NAME+ID+KEY     a witness whose cosignature to check (c2sp.org/signed-note)
  --at TIME                 time of the check. Default: the time of the bundle
  --rpc URL                 an RPC node that you trust, to check the block hashes
  --json                    print one JSON object instead of lines

Exit status: 0 no check failed, 1 a check failed, 2 wrong options or an unreadable file.
`

// Node provides these two functions and the command line at the end. The code between them also
// runs in a browser; page/ includes it unchanged.
const sha256 = (...parts) =>
  new Uint8Array(parts.reduce((made, part) => made.update(part), createHash('sha256')).digest())
function isEd25519(publicKey, message, signature) {
  const x = Buffer.from(publicKey).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verifySignature(null, message, key, signature)
}

// Bytes.
const concat = (...parts) => {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
function equal(a, b) {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex = (bytes) => Array.from(bytes, (byte) => hexOfByte[byte]).join('')
const bytesOfHex = (digits) =>
  Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  )
const fromHex = (text) => {
  if (typeof text !== 'string' || !/^0x([0-9a-f]{2})*$/.test(text)) throw new Error('not hex')
  return bytesOfHex(text.slice(2))
}
const utf8 = (text) => new TextEncoder().encode(text)
const textOf = (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
/** Decodes base64 in its canonical spelling. */
function fromBase64(text) {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw new Error('not base64')
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
  if (toBase64(bytes) !== text) throw new Error('not base64')
  return bytes
}
/** CRC-32 of the zip format, polynomial 0xedb88320. */
const crcOfByte = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
})
function crc32(bytes) {
  let crc = 0xffffffff
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ crcOfByte[(crc ^ bytes[at]) & 0xff]
  return ~crc >>> 0
}

/** RFC 8785, narrowed: integers within ±(2^53 − 1), members in the order of their UTF-16 code units. */
function canonical(value) {
  if (value === null || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Error('a lone surrogate')
    return JSON.stringify(value)
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new Error('not an integer')
    return String(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}
const D = (tag, value) => utf8(`liquidity-os/${tag}\n${canonical(value)}`)
const H = (tag, value) => `0x${hex(sha256(D(tag, value)))}`
const without = (value, ...names) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

/** Keccak-256: Keccak-f[1600] with rate 1088 and the padding 0x01. */
function keccak256(input) {
  const lanes = new Array(25).fill(0n)
  const mask = (1n << 64n) - 1n
  const rotate = (x, n) => (n === 0n ? x : ((x << n) | (x >> (64n - n))) & mask)
  const rate = 136
  const padded = new Uint8Array((Math.floor(input.length / rate) + 1) * rate)
  padded.set(input)
  padded[input.length] |= 0x01
  padded[padded.length - 1] |= 0x80
  const words = viewOf(padded)
  for (let at = 0; at < padded.length; at += rate) {
    for (let lane = 0; lane < rate / 8; lane++)
      lanes[lane] ^= words.getBigUint64(at + 8 * lane, true)
    let lfsr = 1
    for (let round = 0; round < 24; round++) {
      const sums = [0, 1, 2, 3, 4].map((x) =>
        [0, 5, 10, 15, 20].reduce((s, y) => s ^ lanes[x + y], 0n),
      )
      for (let x = 0; x < 5; x++) {
        const d = sums[(x + 4) % 5] ^ rotate(sums[(x + 1) % 5], 1n)
        for (let y = 0; y < 25; y += 5) lanes[x + y] ^= d
      }
      let [x, y, current] = [1, 0, lanes[1]]
      for (let t = 0; t < 24; t++) {
        ;[x, y] = [y, (2 * x + 3 * y) % 5]
        const next = lanes[x + 5 * y]
        lanes[x + 5 * y] = rotate(current, BigInt((((t + 1) * (t + 2)) / 2) % 64))
        current = next
      }
      for (let row = 0; row < 25; row += 5) {
        const line = lanes.slice(row, row + 5)
        for (let i = 0; i < 5; i++)
          lanes[row + i] = line[i] ^ (~line[(i + 1) % 5] & mask & line[(i + 2) % 5])
      }
      for (let bit = 0; bit < 7; bit++) {
        lfsr = ((lfsr << 1) ^ ((lfsr >> 7) * 0x71)) % 256
        if (lfsr & 2) lanes[0] ^= 1n << BigInt((1 << bit) - 1)
      }
    }
  }
  const out = new DataView(new ArrayBuffer(32))
  for (let lane = 0; lane < 4; lane++) out.setBigUint64(8 * lane, lanes[lane], true)
  return new Uint8Array(out.buffer)
}

/** Ed25519 over the bytes. Rejects points of small order and alternative base64 spellings. */
const SMALL_ORDER = new Set([
  ...[
    '00'.repeat(32),
    `01${'00'.repeat(31)}`,
    `ec${'ff'.repeat(30)}7f`,
    `ed${'ff'.repeat(30)}7f`,
    `ee${'ff'.repeat(30)}7f`,
  ],
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
])
function base64(text, length) {
  const bytes = fromBase64(text)
  if (bytes.length !== length) throw new Error('not base64 of its length')
  return bytes
}
function isOfSmallOrder(point) {
  const y = Uint8Array.from(point)
  y[31] &= 0x7f
  return SMALL_ORDER.has(hex(y))
}
function isSigned(publicKey, message, signature) {
  const [key, given] = [base64(publicKey, 32), base64(signature, 64)]
  // Libraries differ on whether they accept the latter.
  if (isOfSmallOrder(key) || isOfSmallOrder(given.subarray(0, 32))) return false
  return isEd25519(key, message, given)
}
const fingerprint = (publicKey) => hex(sha256(base64(publicKey, 32)))

/** The files of a zip that is stored without extra fields, comments or gaps; made again and compared to the byte. */
function readZip(bytes) {
  const files = new Map()
  const parts = []
  const central = []
  let [at, last] = [0, '']
  const word = (value, size) =>
    Uint8Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** i) % 256)
  const view = viewOf(bytes)
  while (view.getUint32(at, true) === 0x04034b50) {
    const [size, nameLength] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true)]
    const path = bytes.subarray(at + 30, at + 30 + nameLength)
    const content = bytes.subarray(at + 30 + nameLength, at + 30 + nameLength + size)
    const common = concat(
      ...[word(20, 2), word(0x0800, 2), word(0, 2), word(0, 2), word(0x0021, 2)],
      ...[word(crc32(content), 4), word(content.length, 4), word(content.length, 4)],
      ...[word(path.length, 2), word(0, 2)],
    )
    parts.push(word(0x04034b50, 4), common, path, content)
    central.push(word(0x02014b50, 4), word(20, 2), common, word(0, 10), word(at, 4), path)
    const name = textOf(path)
    if (files.size > 0 && last >= name) throw new Error('names are not in order')
    last = name
    files.set(name, content)
    at += 30 + nameLength + size
  }
  const directory = concat(...central)
  const end = [word(0x06054b50, 4), word(0, 4), word(files.size, 2), word(files.size, 2)]
  const place = [word(directory.length, 4), word(at, 4), word(0, 2)]
  if (!equal(concat(...parts, directory, ...end, ...place), bytes))
    throw new Error('the container is not the one that its files make')
  return files
}

/** JSON in canonical form. */
function parseCanonical(bytes) {
  const text = textOf(bytes)
  const value = JSON.parse(text)
  if (canonical(value) !== text || !equal(utf8(text), bytes))
    throw new Error('not in canonical form')
  return value
}

// RFC 6962 and RFC 9162.
const node = (left, right) => sha256(Uint8Array.of(1), left, right)
const leafHash = (leaf) => sha256(Uint8Array.of(0), leaf)
function rootOf(leaves) {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return leafHash(leaves[0])
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return node(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}
function rootByInclusion(leaf, index, size, path) {
  let [own, at, last] = [leafHash(leaf), index, size - 1]
  if (!(index >= 0 && index < size)) throw new Error('no such leaf')
  for (const sibling of path) {
    if (last === 0) throw new Error('the path is too long')
    if (at % 2 === 1 || at === last) {
      own = node(sibling, own)
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else own = node(own, sibling)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  if (last !== 0) throw new Error('the path is too short')
  return own
}
function rootsByConsistency(from, size, fromRoot, path) {
  const isPower = Number.isInteger(Math.log2(from))
  const [first, ...rest] = isPower ? [fromRoot, ...path] : path
  let [at, last, early, late] = [from - 1, size - 1, first, first]
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  for (const sibling of rest) {
    if (last === 0) throw new Error('the path is too long')
    if (at % 2 === 1 || at === last) {
      ;[early, late] = [node(sibling, early), node(sibling, late)]
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else late = node(late, sibling)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  if (last !== 0) throw new Error('the path is too short')
  return { early, late }
}

/** A text and its signature lines. */
function parseNote(note) {
  const split = note.lastIndexOf('\n\n')
  if (split < 0 || !note.endsWith('\n')) throw new Error('not a signed note')
  if ([...note].some((one) => one < ' ' && one !== '\n'))
    throw new Error('a note has no control characters')
  const text = note.slice(0, split + 1)
  const lines = note
    .slice(split + 2, -1)
    .split('\n')
    .map((line) => {
      const [, name, encoded] = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? []
      const bytes = fromBase64(encoded ?? '')
      if (bytes.length < 5) throw new Error('a line is no signature')
      return { name, id: hex(bytes.subarray(0, 4)), signature: bytes.subarray(4) }
    })
  return { text, lines }
}
/** A signed note and its checkpoint. */
function parseCheckpoint(note) {
  const { text, lines } = parseNote(note)
  const [origin, size, root, ...more] = text.split('\n')
  if (!/^(0|[1-9][0-9]{0,15})$/.test(size) || more.join('') !== '')
    throw new Error('not a checkpoint')
  return { text, origin, size: Number(size), root: base64(root, 32), lines }
}
const noteKeyId = (name, kind, publicKey) =>
  hex(sha256(utf8(`${name}\n`), Uint8Array.of(kind), base64(publicKey, 32)).subarray(0, 4))
/** A verifier key of notes: NAME+ID+KEY. The first byte of the key is its kind. */
function parseVerifierKey(given, kind) {
  // A base64 key can contain a plus sign.
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(given) ?? []
  const key = fromBase64(encoded ?? '')
  must(key[0] === kind && key.length === 33, 'a key is given as NAME+ID+KEY of Ed25519')
  const publicKey = toBase64(key.subarray(1))
  must(noteKeyId(name, kind, publicKey) === id, 'the id of a key that is given is of another')
  return { name, id, publicKey }
}
function isNoteSigned({ text, lines }, name, publicKey) {
  const id = noteKeyId(name, 1, publicKey)
  const own = lines.filter((line) => line.name === name && line.id === id)
  return own.length === 1 && isSigned(publicKey, utf8(text), toBase64(own[0].signature))
}
/** A handover note between two log keys, signed by both. */
function readHandover(note, origin) {
  const signed = parseNote(note)
  const [head, name, size, ...said] = signed.text.split('\n')
  // The first form has no root.
  const root = head === 'liquidity-os/log-key-handover/v2' ? base64(said.shift() ?? '', 32) : null
  const [from, to, ...more] = said
  must(
    (root !== null || head === 'liquidity-os/log-key-handover/v1') &&
      name === origin &&
      same(more, ['']),
    'a handover is of another form or log',
  )
  must(/^[1-9][0-9]{0,15}$/.test(size) && from !== to, 'a handover names no size, or one key twice')
  for (const key of [from, to])
    must(isNoteSigned(signed, origin, key), 'a key did not sign that it is handed over')
  return { size: Number(size), root, from, to }
}
/** Proves that the smaller tree is a prefix of the larger tree. */
function requireOneLog(one, other, { fromSize, toSize, path }, why) {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  must(fromSize === small.size && toSize === large.size, 'a proof is of other heads')
  must(fromSize < toSize || path.length === 0, 'a head needs no proof to itself')
  const { early, late } =
    fromSize === toSize
      ? { early: small.root, late: small.root }
      : rootsByConsistency(fromSize, toSize, small.root, path.map(fromHex))
  must(equal(early, small.root) && equal(late, large.root), why)
}
/**
 * Checks of a consistency proof without the earlier root, as in bundles of earlier releases: its
 * length and, unless it starts from that root, its end.
 */
function requireConsistencyForm({ fromSize, toSize, path }, root) {
  if (fromSize === toSize) return must(path.length === 0, 'a head needs no proof to itself')
  const isFromRoot = (BigInt(fromSize) & BigInt(fromSize - 1)) === 0n
  must(isFromRoot || path.length > 0, 'the path is too short')
  const { late } = rootsByConsistency(fromSize, toSize, new Uint8Array(32), path.map(fromHex))
  must(isFromRoot || equal(late, root), 'the path leads to another root')
}
/** The log keys in order, and the key that must sign a checkpoint of a given size. */
function logKeys({ name, publicKey, handovers = [] }) {
  const links = handovers.map((note) => readHandover(note, name))
  for (const [i, { from, size }] of links.entries())
    must(
      i === 0 || (links[i - 1].to === from && links[i - 1].size < size),
      'a key is handed over that was not the one of the log',
    )
  const keys = links.length === 0 ? [publicKey] : [links[0].from, ...links.map(({ to }) => to)]
  must(keys.includes(publicKey), 'no key of the log vouched for this one')
  return { keys, links, at: (size) => keys[links.filter((link) => link.size < size).length] }
}
function parseProof(bytes) {
  const text = textOf(bytes)
  const split = text.indexOf('\n\n')
  const [head, extra, index, ...path] = text.slice(0, split).split('\n')
  const [, leaf] = /^extra ([A-Za-z0-9+/]+={0,2})$/.exec(extra) ?? []
  const [, place] = /^index (0|[1-9][0-9]{0,15})$/.exec(index) ?? []
  if (head !== 'c2sp.org/tlog-proof@v1' || leaf === undefined || place === undefined)
    throw new Error('not a proof')
  return {
    leaf: fromBase64(leaf),
    index: Number(place),
    path: path.map((one) => base64(one, 32)),
    note: text.slice(split + 2),
  }
}

// Recursive Length Prefix and Patricia proofs.
function rlp(bytes) {
  const { item, end } = rlpAt(bytes, 0)
  if (end !== bytes.length) throw new Error('bytes behind an RLP item')
  return item
}
function rlpAt(bytes, at) {
  const first = bytes[at]
  if (first === undefined) throw new Error('RLP ends')
  const sized = (from, length) => {
    if (from + length > bytes.length) throw new Error('RLP ends')
    return { from, to: from + length }
  }
  const long = (base) => {
    const count = first - base
    let length = 0
    for (let i = 1; i <= count; i++) length = length * 256 + bytes[at + i]
    return sized(at + 1 + count, length)
  }
  if (first < 0x80) return { item: bytes.subarray(at, at + 1), end: at + 1 }
  if (first < 0xc0) {
    const { from, to } = first < 0xb8 ? sized(at + 1, first - 0x80) : long(0xb7)
    return { item: bytes.subarray(from, to), end: to }
  }
  const { from, to } = first < 0xf8 ? sized(at + 1, first - 0xc0) : long(0xf7)
  const items = []
  for (let next = from; next < to; ) {
    const { item, end } = rlpAt(bytes, next)
    items.push(item)
    next = end
  }
  return { item: items, end: to }
}
/**
 * Keccak-256 of the RLP of an empty string: the root of an empty trie, the only root that needs no
 * node as proof.
 */
const EMPTY_ROOT = '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/**
 * The value under a key of a Patricia trie, or null if the proof shows that the trie has none. An empty proof shows
 * that for the empty trie only, and no node may follow the one that shows it.
 */
function trieValue(root, key, proof) {
  if (proof.length === 0 && hex(root) === EMPTY_ROOT) return null
  const nibbles = [...hex(key)].map((one) => Number.parseInt(one, 16))
  const absent = (place) => {
    if (place !== proof.length - 1) throw new Error('nodes follow the end of the proof')
    return null
  }
  let [wanted, depth] = [root, 0]
  for (const [place, encoded] of proof.entries()) {
    const bytes = fromHex(encoded)
    if (!equal(keccak256(bytes), wanted)) throw new Error('a node is not the one that is named')
    let current = rlp(bytes)
    for (;;) {
      let next
      if (!Array.isArray(current) || (current.length !== 17 && current.length !== 2))
        throw new Error('a node is neither a branch nor a path')
      if (current.length === 17) {
        if (depth === nibbles.length) return current[16].length > 0 ? current[16] : null
        next = current[nibbles[depth]]
        depth += 1
      } else {
        const path = [...hex(current[0])].map((one) => Number.parseInt(one, 16))
        const isLeaf = path[0] >= 2
        const rest = path.slice(path[0] % 2 === 1 ? 1 : 2)
        if (rest.some((one, i) => one !== nibbles[depth + i])) return absent(place)
        depth += rest.length
        if (isLeaf) return depth === nibbles.length ? current[1] : absent(place)
        next = current[1]
      }
      if (Array.isArray(next)) current = next
      else if (next.length === 0) return absent(place)
      else {
        wanted = next
        break
      }
    }
  }
  throw new Error('the proof ends before the value')
}

// Pools, in integers like their contracts.
const up = (a, b) => (a + b - 1n) / b
const MILLION = 1_000_000n
const Q96 = 1n << 96n
const [MIN_TICK, MAX_TICK] = [-887_272, 887_272]
const tickFactors = [
  '0xfffcb933bd6fad37aa2d162d1a594001',
  '0xfff97272373d413259a46990580e213a',
  '0xfff2e50f5f656932ef12357cf3c7fdcc',
  '0xffe5caca7e10e4e61c3624eaa0941cd0',
  '0xffcb9843d60f6159c9db58835c926644',
  '0xff973b41fa98c081472e6896dfb254c0',
  '0xff2ea16466c96a3843ec78b326b52861',
  '0xfe5dee046a99a2a811c461f1969c3053',
  '0xfcbe86c7900a88aedcffc83b479aa3a4',
  '0xf987a7253ac413176f2b074cf7815e54',
  '0xf3392b0822b70005940c7a398e4b70f3',
  '0xe7159475a2c29b7443b29c7fa6e889d9',
  '0xd097f3bdfd2022b8845ad8f792aa5825',
  '0xa9f746462d870fdf8a65dc1f90e061e5',
  '0x70d869a156d2a1b890bb3df62baf32f7',
  '0x31be135f97d08fd981231505542fcfa6',
  '0x9aa508b5b7a84e1c677de54f3e99bc9',
  '0x5d6af8dedb81196699c329225ee604',
  '0x2216e584f5fa1ea926041bedfe98',
  '0x48a170391f7dc42444e8fa2',
].map(BigInt)
function sqrtAtTick(tick) {
  let ratio = 1n << 128n
  for (const [bit, factor] of tickFactors.entries())
    if ((Math.abs(tick) >> bit) & 1) ratio = (ratio * factor) >> 128n
  if (tick > 0) ratio = ((1n << 256n) - 1n) / ratio
  return up(ratio, 1n << 32n)
}
const amount0 = (a, b, l, round) =>
  round ? up(up((l << 96n) * (b - a), b), a) : ((l << 96n) * (b - a)) / b / a
const amount1 = (a, b, l, round) => (round ? up(l * (b - a), Q96) : (l * (b - a)) >> 96n)
/** Output of an exact input on a v3 pool; null if the liquidity ends before. */
function swapV3(state, zeroForOne, amount) {
  const [fee, spacing] = [BigInt(state.feePips), state.tickSpacing]
  let [price, tick, liquidity, left, out] = [
    integerOf(state.sqrtPriceX96),
    state.tick,
    integerOf(state.liquidity),
    amount,
    0n,
  ]
  // The last of the ascending ticks at or below the price.
  let below = state.ticks.findLastIndex(({ index }) => index <= tick)
  const limit = zeroForOne ? sqrtAtTick(MIN_TICK) + 1n : sqrtAtTick(MAX_TICK) - 1n
  while (left > 0n && price !== limit) {
    const word = Math.floor(tick / spacing)
    const edge = zeroForOne
      ? Math.max(((word >> 8) << 8) * spacing, MIN_TICK)
      : Math.min(((word + 1) | 255) * spacing, MAX_TICK)
    const nearest = state.ticks[zeroForOne ? below : below + 1]
    const isWithin = nearest && (zeroForOne ? nearest.index >= edge : nearest.index <= edge)
    const found = isWithin ? nearest : undefined
    const next = found ? found.index : edge
    const nextPrice = sqrtAtTick(next)
    const target = zeroForOne
      ? nextPrice < limit
        ? limit
        : nextPrice
      : nextPrice > limit
        ? limit
        : nextPrice
    const start = price
    if (liquidity === 0n) price = target
    else {
      const spendable = (left * (MILLION - fee)) / MILLION
      const cost = zeroForOne
        ? amount0(target, price, liquidity, true)
        : amount1(price, target, liquidity, true)
      const reached = spendable >= cost
      const numerator = liquidity << 96n
      const to = reached
        ? target
        : !zeroForOne
          ? price + (spendable << 96n) / liquidity
          : numerator + spendable * price < 1n << 256n
            ? up(numerator * price, numerator + spendable * price)
            : up(numerator, numerator / price + spendable)
      const used = reached
        ? cost
        : zeroForOne
          ? amount0(to, price, liquidity, true)
          : amount1(price, to, liquidity, true)
      out += zeroForOne
        ? amount1(to, price, liquidity, false)
        : amount0(price, to, liquidity, false)
      left -= used + (reached ? up(used * fee, MILLION - fee) : left - used)
      price = to
    }
    if (price === nextPrice) {
      if (found) {
        liquidity += (zeroForOne ? -1n : 1n) * integerOf(found.liquidityNet)
        below += zeroForOne ? -1 : 1
      }
      tick = zeroForOne ? next - 1 : next
    } else if (price !== start) tick = tickAt(price)
  }
  return left > 0n ? null : out
}
function tickAt(price) {
  let [low, high] = [MIN_TICK, MAX_TICK]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (sqrtAtTick(middle) <= price) low = middle
    else high = middle - 1
  }
  return low
}
function swapV2({ reserve0, reserve1, fee }, zeroForOne, amount) {
  const [into, from] = zeroForOne
    ? [integerOf(reserve0), integerOf(reserve1)]
    : [integerOf(reserve1), integerOf(reserve0)]
  const [numerator, denominator] = [integerOf(fee.numerator), integerOf(fee.denominator)]
  // A reserve of a pair has 112 bits; the contract refuses more.
  if (into === 0n || from === 0n || into + amount >= 1n << 112n) return null
  const kept = amount * (denominator - numerator)
  const out = (kept * from) / (into * denominator + kept)
  return out === 0n ? null : out
}
/**
 * True if the contract can be in the state, as far as a quote reads it. A swap on another state
 * might not end.
 */
function requirePoolState({ kind, fee, reserve0, reserve1, ...state }) {
  const why = 'the state is none that a pool can be in'
  if (kind === 'UNISWAP_V2') {
    must([reserve0, reserve1, fee?.numerator, fee?.denominator].every(atoms), why)
    return must(integerOf(fee.numerator) < integerOf(fee.denominator), why)
  }
  const { feePips, tickSpacing, sqrtPriceX96, tick, liquidity, ticks } = state
  const isTick = (value) => Number.isSafeInteger(value) && value >= MIN_TICK && value <= MAX_TICK
  must(count(feePips) && feePips < 1_000_000, why)
  must(count(tickSpacing) && tickSpacing >= 1 && tickSpacing <= MAX_TICK, why)
  must(isTick(tick) && atoms(sqrtPriceX96) && atoms(liquidity) && Array.isArray(ticks), why)
  const price = integerOf(sqrtPriceX96)
  must(price >= sqrtAtTick(MIN_TICK) && price < sqrtAtTick(MAX_TICK), why)
  if (ticks.length > limits.ticks) skip(`of more than ${limits.ticks} ticks no quote is made here`)
  for (const [i, { index, liquidityNet }] of ticks.entries()) {
    must(isTick(index) && (i === 0 || ticks[i - 1].index < index), why)
    must(text(liquidityNet) && atoms(liquidityNet.replace(/^-/, '')), why)
  }
}
/**
 * Slippage of a size on both sides of the mid price, in pips; null for an unsupported pool kind.
 */
function slippage(state, baseIsToken0, size) {
  const isV3 = state.kind === 'UNISWAP_V3'
  if (!isV3 && state.kind !== 'UNISWAP_V2') return null
  requirePoolState(state)
  const { num, den } = midOf(state, baseIsToken0)
  const swap = (zeroForOne, amount) =>
    amount === 0n ? null : (isV3 ? swapV3 : swapV2)(state, zeroForOne, amount)
  const clamp = (pips) => Number(pips < 0n ? 0n : pips > MILLION ? MILLION : pips)
  const bought = swap(!baseIsToken0, size)
  const boughtWorth = bought === null ? 0n : (bought * num) / den
  const base = (size * den) / num
  const sold = swap(baseIsToken0, base)
  const soldWorth = (base * num) / den
  return {
    buy: boughtWorth === 0n ? 1_000_000 : clamp(up(size * MILLION, boughtWorth) - MILLION),
    sell:
      sold === null || soldWorth === 0n ? 1_000_000 : clamp(MILLION - (sold * MILLION) / soldWorth),
  }
}

// secp256k1 public key recovery.
const P = 2n ** 256n - 2n ** 32n - 977n
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const G = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
]
const mod = (a, m) => ((a % m) + m) % m
function power(base, exponent, m) {
  let [result, b] = [1n, mod(base, m)]
  for (let e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * b) % m
    b = (b * b) % m
  }
  return result
}
/** Extended Euclidean algorithm. */
function inverse(a, m) {
  let [r, next, s, t] = [m, mod(a, m), 0n, 1n]
  while (next !== 0n) {
    const q = r / next
    ;[r, next, s, t] = [next, r - q * next, t, s - q * t]
  }
  return mod(s, m)
}
function add(p, q) {
  if (!p) return q
  if (!q) return p
  if (p[0] === q[0] && mod(p[1] + q[1], P) === 0n) return null
  const slope =
    p[0] === q[0]
      ? mod(3n * p[0] * p[0] * inverse(2n * p[1], P), P)
      : mod((q[1] - p[1]) * inverse(q[0] - p[0], P), P)
  const x = mod(slope * slope - p[0] - q[0], P)
  return [x, mod(slope * (p[0] - x) - p[1], P)]
}
function times(point, scalar) {
  let [result, doubled] = [null, point]
  for (let k = mod(scalar, N); k > 0n; k >>= 1n) {
    if (k & 1n) result = add(result, doubled)
    doubled = add(doubled, doubled)
  }
  return result
}
function recover(digest, signature) {
  const [r, s, v] = [
    BigInt(`0x${hex(signature.subarray(0, 32))}`),
    BigInt(`0x${hex(signature.subarray(32, 64))}`),
    signature[64],
  ]
  if (v !== 27 && v !== 28) return null
  const square = mod(r ** 3n + 7n, P)
  let y = power(square, (P + 1n) / 4n, P)
  if (r === 0n || s === 0n || mod(y * y, P) !== square) return null
  if (Number(y & 1n) !== v - 27) y = P - y
  const z = BigInt(`0x${hex(digest)}`)
  const point = times(add(times([r, y], s), times(G, N - mod(z, N))), inverse(r, N))
  if (!point) return null
  const bytes = concat(...point.map(word32))
  return `0x${hex(keccak256(bytes).subarray(12))}`
}
const word32 = (value) => bytesOfHex(integerOf(value).toString(16).padStart(64, '0'))
const mapped = (key, slot) =>
  keccak256(concat(bytesOfHex(key.slice(2).padStart(64, '0')), word32(slot)))

const seconds = (time) => Math.floor(Date.parse(time) / 1000)
/** The canonical form of a time. Date.parse would accept invalid days and hours. */
const isTime = (text) =>
  typeof text === 'string' &&
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString() === text.replace('Z', '.000Z')

/** Limits of a bundle. Without them, an attacker could make a check arbitrarily slow. */
const limits = {
  bytes: 64 * 2 ** 20,
  observations: 64,
  rows: 64,
  ticks: 20_000,
  positions: 10_000,
  runs: 100_000,
  managers: 1000,
  handovers: 1000,
  statements: 1000,
  revocations: 1000,
  bytesOfSignatures: 8192,
}

/** Format of each payload member; optional names end with "?". */
const hash = (value) => text(value) && /^0x[0-9a-f]{64}$/.test(value)
const atoms = (value) => text(value) && /^(0|[1-9][0-9]{0,77})$/.test(value)
/** A part of a price. A common price of pools exceeds 78 digits. */
const natural = (value) => text(value) && /^[1-9][0-9]{0,199}$/.test(value)
const count = (value) => Number.isSafeInteger(value) && value >= 0
const pips = (value) => count(value) && value <= 1_000_000
const text = (value) => typeof value === 'string'
const flag = (value) => typeof value === 'boolean'
const listOf =
  (item, most = Number.POSITIVE_INFINITY) =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(item)
const nullOr = (item) => (value) => value === null || item(value)
const shape = (members) => (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const names = Object.keys(members)
  const isKnown = Object.keys(value).every(
    (name) => Object.hasOwn(members, name) || Object.hasOwn(members, `${name}?`),
  )
  return (
    isKnown &&
    names.every((name) => {
      const plain = name.replace('?', '')
      return value[plain] === undefined ? name.endsWith('?') : members[name](value[plain])
    })
  )
}
const ref = shape({ id: text, resourceVersion: hash })
const set = shape({ count, root: hash })
/** Evidence of claims that no bound record carries. */
const proofOfControl = shape({ evidence: ref, until: isTime })
const isClaims = shape({
  claimsVersion: (value) => value === 'liquidity-claims-v1',
  reconciliation: nullOr(shape({ id: text, resourceVersion: hash, asOf: isTime })),
  sets: shape({ receipts: hash, anomalies: hash, ledgerEntries: hash }),
  'managers?': shape({
    mandates: listOf(shape({ mandate: ref, name: text }), limits.managers),
    custodians: listOf(text, limits.managers),
  }),
  'treasury?': shape({
    base: text,
    quote: text,
    price: shape({ num: natural, den: natural }),
    owned: shape({
      positions: shape({ base: atoms, quote: atoms }),
      quoteBalance: atoms,
      ownTokens: shape({ base: atoms, realizableQuote: nullOr(atoms) }),
    }),
    idle: listOf(
      shape({ entry: ref, base: atoms, quote: atoms, control: proofOfControl }),
      limits.positions,
    ),
    rentedObservations: listOf(ref, limits.observations),
    lines: listOf(
      shape({ assetKey: text, ledger: atoms, custody: nullOr(atoms), chain: nullOr(atoms) }),
      limits.positions,
    ),
  }),
})
/** Samples behind the reliability. */
const isSamples = shape({
  samplesVersion: (value) => value === 'liquidity-samples-v1',
  usableSlippagePips: pips,
  runs: listOf(
    shape({ from: count, to: count, samples: count, isUsable: flag, worstSlippagePips: pips }),
    limits.runs,
  ),
})
/** Positions behind the owned liquidity. */
const isPositions = shape({
  positionsVersion: (value) => value === 'liquidity-positions-v1',
  quote: text,
  positions: (value) =>
    listOf(
      shape({
        entry: ref,
        claim: text,
        container: text,
        quote: atoms,
        block: shape({ chainId: count, number: count, hash, timestamp: isTime }),
        control: proofOfControl,
      }),
      limits.positions,
    )(value),
})
const someOf = (item, most) => (value) => listOf(item, most)(value) && value.length > 0
/** Policy limits that the passport repeats. */
const isLimits = shape({
  level: count,
  maximumAmountPerTransaction: atoms,
  maximumDailyTurnover: atoms,
  maximumSlippagePips: pips,

  approvedContracts: listOf(text),
  approvedAssets: listOf(text),
  approvedAdapterIds: listOf(text),
  minimumSecondsBetweenActions: count,
  oracleMaximumAgeSeconds: count,
  expiresAt: isTime,
  controlEpoch: atoms,
  publicMempoolFallbackAllowed: flag,
  'minimumPriceX18?': atoms,
  'maximumPriceX18?': atoms,
})
const isBrand = shape({
  partnerId: text,
  name: text,
  accentColor: text,
  'logoContentHash?': hash,
  sourceBinding: shape({
    partnerOrganizationId: text,
    partnerConfigurationResourceVersion: hash,
    partnerConfigurationArtifactHash: hash,
    consentId: text,
    consentResourceVersion: hash,
    consentArtifactHash: hash,
  }),
})
const isIncidentDetails = shape({
  v1IncidentEvidenceHashes: listOf(hash),
  anomalies: listOf(
    shape({ detectorVersion: text, kind: text, severity: text, artifactHash: hash }),
  ),
})
const isReceipt = shape({
  receiptVersion: (v) => v === 'liquidity-passport-results-registry-receipt-v1',
  providerId: text,
  providerResourceVersion: hash,
  providerAttestationHash: hash,
  passportSubjectHash: hash,
  commitmentHash: hash,
  issuedAt: isTime,
  signature: text,
})
const namedKey = shape({ publicKey: text, providerId: text, resourceVersion: hash })
const isKeys = shape({
  issuer: namedKey,
  service: listOf(shape({ keyId: text, publicKey: text })),
  // B7 reads the key handovers.
  log: shape({ name: text, publicKey: text, 'handovers?': () => true }),
  'registry?': namedKey,
  'authorization?': shape({
    chainId: count,
    safe: text,
    version: text,
    organizationHash: hash,
    issuedAt: text,
    expiresAt: text,
    signatures: text,
  }),
})
const nodes = (value) => listOf((one) => text(one) && /^0x([0-9a-f]{2})+$/.test(one))(value)
const isChainProof = shape({
  chainId: count,
  number: count,
  hash,
  timestamp: isTime,
  header: text,
  accounts: someOf(
    shape({
      address: text,
      codeHash: hash,
      accountProof: nodes,
      storage: listOf(shape({ key: hash, value: hash, proof: nodes })),
    }),
  ),
})
const isPassport = shape({
  passportVersion: (v) => v === 'liquidity-passport-v1',
  artifactRendererVersion: (v) => text(v) && /^liquidity-passport-artifacts-v[12]$/.test(v),
  signatureAlgorithm: (v) => v === 'Ed25519',

  signerProviderId: text,
  signerKeyResourceVersion: hash,
  slug: text,
  vaultId: text,
  issuerName: text,
  'reportBrand?': isBrand,
  generatedAt: isTime,
  validUntil: isTime,
  usableDepthByTradeSize: someOf(
    shape({ tradeSizeQuote: atoms, buySlippagePips: pips, sellSlippagePips: pips }),
    limits.rows,
  ),
  historicalReliabilityPips: pips,
  policyCompliancePips: nullOr(pips),
  'policyLimits?': isLimits,
  reconciledPositionCount: count,
  majorIncidentCount: count,

  'treasuryOwnedLiquidityQuote?': atoms,
  'rentedLiquidityQuote?': atoms,
  'externalManagerExposureQuote?': atoms,
  'externalManagerNames?': listOf(text),
  'incidentDetails?': isIncidentDetails,
  dataFreshnessSeconds: count,
  disclosure: shape({
    showTreasuryOwnership: flag,
    showExternalManagerNames: flag,
    showIncidentDetails: flag,
    showPolicyLimits: flag,
  }),
  reportHashes: someOf(hash),
  sourceBindings: shape({
    bindingsVersion: (v) => v === 'liquidity-passport-sources-v1',

    vault: ref,
    controlEpoch: atoms,
    marketQualityScore: ref,
    policy: nullOr(ref),
    reconciliation: nullOr(ref),

    venueObservations: someOf(ref, limits.observations),
    mandates: listOf(ref),
    receipts: set,
    anomalies: set,
    ledgerEntries: set,
    reports: listOf(
      shape({ hash, source: shape({ resourceType: text, id: text, resourceVersion: hash }) }),
    ),
    signerProvider: ref,
    adapterReleaseHash: nullOr(hash),
    engineVersion: text,
    blocks: someOf(shape({ chainId: count, number: count, hash, timestamp: isTime })),
    keys: shape({ service: text, log: text, registry: nullOr(text) }),
  }),
  'resultsRegistryProviderId?': text,
  'resultsRegistryProviderResourceVersion?': hash,
  'resultsRegistryProviderAttestationHash?': hash,
  'resultsRegistryCommitmentHash?': hash,
  'resultsRegistryReceipt?': isReceipt,
  'supersedesPassportHash?': hash,
  contentHash: hash,
  signature: text,
  marketQualityScoreId: text,
})

/** An integer of a bundle: a number, or decimal digits of at most 256 bits. */
const integerOf = (value) => {
  const isWritten =
    typeof value === 'bigint' ||
    Number.isSafeInteger(value) ||
    (text(value) && /^(-?(0|[1-9][0-9]{0,77})|0x[0-9a-fA-F]{1,64})$/.test(value))
  must(isWritten, 'an integer is written in another way')
  return BigInt(value)
}

/** A check that cannot be made. `missing` names what would allow it; without it a line is ASSERTED. */
class Skip extends Error {
  constructor(why, missing) {
    super(why)
    this.missing = missing
  }
}
const lack =
  (from) =>
  (why, what = why) => {
    throw new Skip(why, { from, what })
  }
/** Absent from the bundle, or not written in this program. */
const skip = lack('BUNDLE')
/** An option that the reader did not give. */
const ask = lack('READER')
/** Withheld by the issuer; the flag of the disclosure. */
const withhold = lack('ISSUER')
/** A statement of the issuer or the service that nothing in the bundle proves. */
const assertOnly = (why) => {
  throw new Skip(why, null)
}
const refuse = (why) => {
  throw new Error(why)
}
const must = (holds, why) => {
  if (!holds) refuse(why)
}

const isExecutions = shape({ compliant: count, violating: count, indeterminate: count })

/** Number of evaluated executions as text, and the share within the policy. */
function executionsOf(counts) {
  must(isExecutions(counts), 'the log counts no executions')
  const { compliant, violating, indeterminate } = counts
  const judged = BigInt(compliant) + BigInt(violating) + BigInt(indeterminate)
  return {
    judged,
    share: judged === 0n ? null : Number((MILLION * BigInt(compliant)) / judged),
    words: `${compliant} within the policy, ${violating} against it, ${indeterminate} not judged`,
  }
}
const same = (a, b) => canonical(a) === canonical(b)

/** Maximum lead of the issuer's clock over the service's clock at publication. */
const CLOCK_SECONDS = 60

/** True if the record matches its hash and the expected version. */
function requireRecord(record, named) {
  must(
    H('record-payload/v1', record.payload) === record.artifactHash,
    `${record.id}: the payload has another hash`,
  )
  must(
    H('record/v1', without(record, 'resourceVersion')) === record.resourceVersion,
    `${record.id}: the record has another hash`,
  )
  must(
    record.id === named.id && record.resourceVersion === named.resourceVersion,
    `${record.id} is not the generation that is bound`,
  )
}

/**
 * @param bytes   of the bundle
 * @param options issuerKey, knownCheckpoint, logKey, witness, at, blockHashes (Map of chainId/number to hash)
 */
export function verifyBundle(bytes, options = {}) {
  const lines = []
  const state = {}
  const check = (code, kind, what, run) => {
    try {
      lines.push({ code, kind, result: 'PASS', detail: `${what}: ${run() ?? 'holds'}` })
      return true
    } catch (error) {
      const isSkip = error instanceof Skip
      const result = !isSkip ? 'FAIL' : error.missing === null ? 'ASSERTED' : 'NOT_CHECKED'
      const missing = isSkip && error.missing ? { missing: error.missing } : {}
      lines.push({ code, kind, result, detail: `${what}: ${error.message}`, ...missing })
      return false
    }
  }
  const missing = (path) => `${path} is not in the bundle`
  /** A required file: without it the bundle is incomplete. */
  const file = (path) => state.files.get(path) ?? refuse(missing(path))
  const parsed = new Map()
  const json = (path) => {
    if (!parsed.has(path)) parsed.set(path, parseCanonical(file(path)))
    return parsed.get(path)
  }
  /** An optional file: the issuer withholds its content, or it could not be read. */
  const optionalJson = (path) => (state.files.has(path) ? json(path) : skip(missing(path), path))
  const integrity = (code, what, run) => check(code, 'integrity', what, run)

  const isRead = integrity('B1', 'manifest', () => {
    must(bytes.length <= limits.bytes, `is larger than ${limits.bytes} bytes`)
    state.files = readZip(bytes)
    const manifest = parseCanonical(state.files.get('manifest.json') ?? utf8('{}'))
    must(shape({ files: (v) => typeof v === 'object' && v !== null })(manifest), 'is no manifest')
    const named = Object.keys(manifest.files)
    must(named.length === state.files.size - 1, 'names other files than there are')
    for (const [path, content] of state.files) {
      if (path !== 'manifest.json')
        must(manifest.files[path] === hex(sha256(content)), `${path} has another hash`)
    }
    return `${named.length} files, each with its hash; no signature binds verify.mjs and README.txt`
  })
  if (!isRead) return finish(lines)
  const bound =
    /^(passport|keys|artifacts|revocations|registry-receipt|manifest)\.json$|^(README\.txt|verify\.mjs)$|^log\/(passport\.tlog-proof|event\.json|(consistency|handovers)\.json)$|^sources\/[A-Za-z0-9_]+\.json$|^inputs\/[a-z0-9_]+\.json$|^chain\/\d+\.json$|^receipts\/receipts\.json$/
  integrity('B1', 'files', () => {
    for (const path of state.files.keys()) must(bound.test(path), `${path} is no file of a bundle`)
  })

  const isForm = integrity('B2', 'schema and canonical form', () => {
    state.passport = json('passport.json')
    must(isPassport(state.passport), 'passport.json is no passport')
  })
  if (!isForm) return finish(lines)
  const { passport } = state
  const { sourceBindings: sources } = passport
  integrity('B3', 'contentHash', () => {
    must(
      H('liquidity-passport/v1', without(passport, 'contentHash', 'signature')) ===
        passport.contentHash,
      'is of another payload',
    )
    return passport.contentHash
  })
  const isSignedPassport = integrity('B4', 'signature of the issuer', () => {
    state.keys = json('keys.json')
    must(isKeys(state.keys), 'keys.json has another form')
    for (const { keyId, publicKey } of state.keys.service)
      must(fingerprint(publicKey).slice(0, 16) === keyId, 'a key has another id')
    const { issuer } = state.keys
    must(
      issuer.providerId === passport.signerProviderId &&
        issuer.resourceVersion === passport.signerKeyResourceVersion,
      'keys.json names another signer',
    )
    must(
      isSigned(
        issuer.publicKey,
        D('liquidity-passport-signature/v1', without(passport, 'signature')),
        passport.signature,
      ),
      'is not of this key',
    )
    return `key ${fingerprint(issuer.publicKey)}`
  })
  if (!isSignedPassport) return finish(lines)

  /** Hash of the claim evidence in the publication event, or null. */
  const claimsHash = () => json('log/event.json').payload.claimsHash ?? null
  const isIssuerKnown = check('B5', 'authority', 'key of the issuer', () => {
    const own = fingerprint(state.keys.issuer.publicKey)
    if (options.issuerKey !== undefined) {
      must(
        own === options.issuerKey.toLowerCase(),
        `is ${own}, and not the one that you were given`,
      )
      if (state.keys.authorization) requireAuthorization(state.keys, passport, state.files)
      return 'is the one that you were given'
    }
    return authorized(state.keys, passport, state.files)
  })
  /** A key that only the passport vouches for proves no more than the issuer's own key. */
  const vouched = (holds) => {
    if (!isIssuerKnown) ask(`${holds}; whose word that is rests on B5`, '--issuer-key')
    return holds
  }
  const serviceKey = (keyId) => {
    const found = state.keys.service.find((one) => one.keyId === keyId)
    must(found, `keys.json has no key ${keyId}`)
    return found.publicKey
  }

  integrity('B6', 'inclusion in the log', () => {
    const proof = parseProof(file('log/passport.tlog-proof'))
    const event = json('log/event.json')
    const checkpoint = parseCheckpoint(proof.note)
    must(
      H('event/v1', without(event, 'evidenceHash')) === event.evidenceHash,
      'the event has another hash',
    )
    must(
      event.kind === 'passport.published' && event.payload.contentHash === passport.contentHash,
      'the event is of another passport',
    )
    const said = textOf(proof.leaf)
    const head = 'liquidity-os/proof-leaf/v1\n'
    must(said.startsWith(head), 'the leaf has another form')
    const leaf = JSON.parse(said.slice(head.length))
    must(
      equal(D('proof-leaf/v1', leaf), proof.leaf) && leaf.kind === 'EVENT' && isTime(leaf.loggedAt),
      'the leaf has another form',
    )
    must(leaf.subjectHash === event.evidenceHash, 'the leaf is of another event')
    must(
      equal(rootByInclusion(proof.leaf, proof.index, checkpoint.size, proof.path), checkpoint.root),
      'the path leads to another root',
    )
    state.checkpoint = checkpoint
    return `leaf ${proof.index} of ${checkpoint.size}, logged at ${leaf.loggedAt}`
  })
  check('B7', 'authority', 'signature of the log', () => {
    const { log } = state.keys
    must(state.checkpoint, 'there is no checkpoint')
    must(log.name === state.checkpoint.origin, 'keys.json names another log')
    must(
      fingerprint(log.publicKey) === sources.keys.log,
      'the key is not the one that the issuer signed for',
    )
    must(
      log.handovers === undefined || listOf(text, limits.handovers)(log.handovers),
      `handovers are no list of at most ${limits.handovers} notes`,
    )
    const known = logKeys(log)
    state.handovers = known.links
    must(
      isNoteSigned(state.checkpoint, log.name, known.at(state.checkpoint.size)),
      'is not of this key, nor of one that follows from it',
    )
    if (options.logKey === undefined) return vouched(`is of ${log.name}`)
    const pinned = parseVerifierKey(options.logKey, 1)
    must(pinned.name === log.name, 'the key that you gave is of another log')
    must(
      known.keys.includes(pinned.publicKey),
      'no key of the log is the one that you gave, nor did that vouch for any',
    )
    return `is of ${log.name}, whose key you gave`
  })
  check('B8', 'integrity', 'the log continues what was known', () => {
    const proof = json('log/consistency.json')
    const { fromSize, toSize, path, fromRoot } = proof
    must(state.checkpoint && toSize === state.checkpoint.size, 'the proof is of another head')
    must(
      count(fromSize) && fromSize >= 1 && fromSize <= toSize && listOf(hash, 64)(path),
      'the proof is of no head',
    )
    const why = 'the log was rewritten since'
    if (claimsHash() === null && fromRoot === undefined) {
      requireConsistencyForm(proof, state.checkpoint.root)
    } else {
      must(hash(fromRoot), 'the proof names no earlier root')
      const before = { size: fromSize, root: fromHex(fromRoot) }
      requireOneLog(before, state.checkpoint, proof, 'the path leads to other roots')
    }
    if (options.knownCheckpoint === undefined) ask('give --known-checkpoint', '--known-checkpoint')
    const known = parseCheckpoint(`${options.knownCheckpoint.trimEnd()}\n`)
    must(known.origin === state.checkpoint.origin, 'the known checkpoint is of another log')
    must(
      isNoteSigned(known, state.keys.log.name, logKeys(state.keys.log).at(known.size)),
      'the known checkpoint is not of its key',
    )
    if (known.size === toSize) {
      must(equal(known.root, state.checkpoint.root), 'the log was forked: two roots of one size')
      return `is the same head of ${toSize} leaves`
    }
    if (known.size !== fromSize)
      ask(
        `the bundle proves from ${fromSize} to ${toSize}, and the known checkpoint is of ${known.size}; GET /proof chains the sizes between`,
        `--known-checkpoint of ${fromSize} or ${toSize} leaves`,
      )
    requireOneLog(known, state.checkpoint, proof, why)
    return `from ${fromSize} to ${toSize} leaves`
  })
  const rooted = (state.handovers ?? []).filter(({ root }) => root !== null)
  if (rooted.length > 0)
    integrity('B8', 'the log is the one whose key was handed over', () => {
      const proofs = json('log/handovers.json')
      must(
        listOf(
          shape({ fromSize: count, toSize: count, path: listOf(hash, 64) }),
          rooted.length,
        )(proofs) && proofs.length === rooted.length,
        'there is not one proof for each handover that names a root',
      )
      for (const [i, handover] of rooted.entries())
        requireOneLog(
          handover,
          state.checkpoint,
          proofs[i],
          'it is another than the one whose key was handed over',
        )
      return rooted.map(({ size }) => `at ${size} leaves`).join(', ')
    })
  if (state.handovers?.length > rooted.length)
    integrity('B8', 'handovers of the first form', () =>
      assertOnly('they name no root: a head of before rests on the earlier key alone'),
    )
  const checkWitness = () => {
    const { name, id, publicKey } = parseVerifierKey(options.witness, 4)
    const line = state.checkpoint.lines.find((one) => one.name === name && one.id === id)
    if (!line) skip(`${name} has not cosigned this head`, 'a cosignature of the witness')
    const at = viewOf(line.signature).getBigUint64(0)
    must(
      isSigned(
        publicKey,
        utf8(`cosignature/v1\ntime ${at}\n${state.checkpoint.text}`),
        toBase64(line.signature.subarray(8)),
      ),
      'the cosignature does not hold',
    )
    return `${name} saw this head`
  }
  if (options.witness !== undefined) integrity('B9', 'witnesses', checkWitness)

  const setFiles = {
    receipts: 'receipts/receipts.json',
    anomalies: 'sources/anomalies.json',
    ledgerEntries: 'sources/ledgerEntries.json',
  }
  const positionsPath = 'inputs/positions.json'
  const claimsPath = 'inputs/claims.json'
  const samplesPath = 'inputs/samples.json'
  /** Hash of the samples in the evidence of the score, or null. */
  const samplesHash = () =>
    record(sources.marketQualityScore).payload.evidence?.inputs.find(
      ({ name }) => name === 'samples',
    )?.hash ?? null
  /** Hash of the positions in the publication event, or null. */
  const positionsHash = () => json('log/event.json').payload.positionsHash ?? null
  /** Claim evidence; null for a publication of an earlier release. */
  const claims = () => {
    const named = claimsHash()
    if (named === null) return null
    must(`0x${hex(sha256(file(claimsPath)))}` === named, 'the log names other claim evidence')
    const told = json(claimsPath)
    must(isClaims(told), `${claimsPath} is no evidence of claims`)
    return told
  }
  /** Evidence of the treasury. The disclosure must show it. */
  const treasuryEvidence = () => {
    const told = claims()
    if (told === null) assertOnly('the log names no evidence of it, as in earlier releases')
    const treasury = told.treasury ?? refuse(`${claimsPath} lacks the treasury`)
    const { chainId, pair } = record(sources.vault).payload
    const key = (token) => `eip155:${chainId}/erc20:${token.toLowerCase()}`
    must(
      treasury.base === key(pair.base) && treasury.quote === key(pair.quote),
      'the tokens are others',
    )
    return treasury
  }
  const pathOf = (named) => `sources/${named.id}.json`
  const record = (named) => json(pathOf(named))
  const bind = (what, named, read = json) =>
    integrity('B10', what, () => {
      if (named === null) return 'none is bound'
      requireRecord(read(pathOf(named)), named)
      return named.id
    })
  bind('vault', sources.vault)
  bind('score', sources.marketQualityScore)
  for (const one of sources.venueObservations) {
    bind('observation', one)
    integrity('B10', 'venue', () => {
      const { venue } = record(one).payload
      requireRecord(record(venue), venue)
      return venue.id
    })
  }
  bind('signer', sources.signerProvider)
  integrity('B10', 'policy', () => {
    const named = sources.policy
    if (named === null) return 'none is bound'
    const isWithheld = !passport.disclosure.showPolicyLimits && !state.files.has(pathOf(named))
    if (isWithheld) return 'is withheld, and no figure rests on it'
    requireRecord(record(named), named)
    return named.id
  })
  integrity('B10', 'reconciliation', () => {
    const named = sources.reconciliation
    const told = claims()
    if (told !== null)
      must(
        same(told.reconciliation && without(told.reconciliation, 'asOf'), named),
        'the log names another reconciliation',
      )
    if (named === null) return 'none is bound'
    if (state.files.has(pathOf(named))) requireRecord(record(named), named)
    else if (told === null) skip(missing(pathOf(named)), 'the reconciliation')
    return named.id
  })
  integrity('B10', 'key of the signer', () => {
    const { payload } = record(sources.signerProvider)
    must(
      sources.signerProvider.resourceVersion === passport.signerKeyResourceVersion,
      'another generation signs than is bound',
    )
    must(payload.publicKeys[0] === state.keys.issuer.publicKey, 'the provider has another key')
  })
  integrity('B10', 'score and epoch', () => {
    must(
      passport.marketQualityScoreId === sources.marketQualityScore.id,
      'another score is named than is bound',
    )
    must(passport.vaultId === sources.vault.id, 'another vault is named than is bound')
    must(
      record(sources.vault).payload.controlEpoch === sources.controlEpoch,
      'the vault has another epoch',
    )
    must(
      same(
        sources.reports.map((one) => one.hash),
        passport.reportHashes,
      ),
      'other reports are named than are bound',
    )
  })
  /**
   * Accounts with proven slots, each with its block: the Safe and the pools of the observations.
   */
  const readings = () => [
    {
      at: record(sources.vault).payload.snapshot,
      address: record(sources.vault).payload.safeAddress,
    },
    ...sources.venueObservations.map((one) => ({
      at: record(one).payload.state.at,
      address: record(record(one).payload.venue).payload.address,
    })),
  ]
  integrity('B10', 'blocks of the sources', () => {
    for (const { at } of readings())
      must(
        sources.blocks.some(
          (one) =>
            one.chainId === at.chainId &&
            one.number === at.number &&
            one.hash === at.hash &&
            seconds(one.timestamp) === seconds(at.timestamp),
        ),
        `block ${at.number} is not bound`,
      )
  })
  integrity('B10', 'files', () => {
    const rootedKeys = (state.handovers ?? []).some(({ root }) => root !== null)
    const known = new Set([
      ...['passport', 'keys', 'artifacts', 'revocations', 'manifest'].map((one) => `${one}.json`),
      ...['README.txt', 'verify.mjs', 'sources/freshness.json', ...Object.values(setFiles)],
      ...['log/passport.tlog-proof', 'log/event.json', 'log/consistency.json'],
      ...(rootedKeys ? ['log/handovers.json'] : []),
      ...(positionsHash() === null ? [] : [positionsPath]),
      ...(claimsHash() === null ? [] : [claimsPath]),
      ...(samplesHash() === null ? [] : [samplesPath]),
      ...(passport.resultsRegistryReceipt === undefined ? [] : ['registry-receipt.json']),
      ...[sources.vault, sources.marketQualityScore, sources.signerProvider].map(pathOf),
      ...[sources.policy, sources.reconciliation].filter((one) => one !== null).map(pathOf),
      ...sources.venueObservations.flatMap((one) => [
        pathOf(one),
        pathOf(record(one).payload.venue),
        `inputs/${one.id}.json`,
      ]),
    ])
    for (const path of state.files.keys())
      must(known.has(path) || path.startsWith('chain/'), `no check reads ${path}`)
  })
  if (passport.reportBrand !== undefined) {
    integrity('B10', 'brand', () => {
      assertOnly('the consent of the partner is bound by its hash, and not in the bundle')
    })
  }
  const { showPolicyLimits, showIncidentDetails, showTreasuryOwnership } = passport.disclosure
  const isDisclosed = {
    receipts: showPolicyLimits,
    anomalies: showIncidentDetails,
    ledgerEntries: showTreasuryOwnership,
  }
  const emptyRoot = `0x${hex(sha256())}`
  for (const [name, path] of Object.entries(setFiles)) {
    integrity('B10', name, () => {
      must(sources[name].count > 0 || sources[name].root === emptyRoot, 'has a root but no records')
      const found = optionalJson(path)
      must(Array.isArray(found), 'is no list')
      for (const one of found) {
        if (one.payload !== undefined) requireRecord(one, one)
        else {
          must(!isDisclosed[name], `${one.id} is withheld against the disclosure`)
          must(
            shape({ artifactHash: hash, createdAt: text, id: text })(one),
            'a stub has other members',
          )
        }
      }
      const keys = found.map(({ createdAt, id }) => `${createdAt} ${id}`)
      must(
        keys.every((key, i) => i === 0 || keys[i - 1] < key),
        'is not in the order of its root',
      )
      const root = `0x${hex(rootOf(found.map(({ artifactHash }) => fromHex(artifactHash))))}`
      must(found.length === sources[name].count && root === sources[name].root, 'has another root')
      const said = `${found.length} under ${root}`
      const told = claims()
      if (told !== null) {
        const stubs = found.map(({ artifactHash, createdAt, id }) => ({
          artifactHash,
          createdAt,
          id,
        }))
        must(
          `0x${hex(sha256(utf8(canonical(stubs))))}` === told.sets[name],
          'the log names other ids or times',
        )
        return `${said}, with the logged ids and times`
      }
      if (found.some(({ payload }) => payload === undefined)) {
        assertOnly(`${said}; ids and times of what is withheld are bound by nothing`)
      }
      return found.length === 0 ? said : `${said}, which binds neither ids nor times`
    })
  }

  for (const named of sources.venueObservations) {
    integrity('B11', `state of ${named.id}`, () => {
      const input = json(`inputs/${named.id}.json`)
      must(
        H('market-state/v1', input) === record(named).payload.state.snapshotHash,
        'is another than was observed',
      )
    })
  }
  integrity('B11', 'depth', () => {
    const { pair } = record(sources.vault).payload
    must(
      same(
        record(sources.marketQualityScore).payload.passportClaims.usableDepthByTradeSize,
        passport.usableDepthByTradeSize,
      ),
      'is another than the score says',
    )
    if (sources.venueObservations.length > 1)
      assertOnly('of several venues together: orders are split, which is not written here')
    const input = json(`inputs/${sources.venueObservations[0].id}.json`)
    must(text(input.kind), 'is no state of a pool')
    const baseIsToken0 = pair.base.toLowerCase() < pair.quote.toLowerCase()
    for (const row of passport.usableDepthByTradeSize) {
      const found =
        slippage(input, baseIsToken0, BigInt(row.tradeSizeQuote)) ??
        assertOnly(`pools of kind ${input.kind} are not written here`)
      must(
        found.buy === row.buySlippagePips && found.sell === row.sellSlippagePips,
        `of ${row.tradeSizeQuote} is ${found.buy} and ${found.sell} pips`,
      )
    }
    return `${passport.usableDepthByTradeSize.length} sizes, both sides, computed anew`
  })
  integrity('B11', 'reliability', () => {
    must(
      record(sources.marketQualityScore).payload.passportClaims.historicalReliabilityPips ===
        passport.historicalReliabilityPips,
      'is another than the score says',
    )
    const named = samplesHash()
    if (named === null) assertOnly('as the score says; its samples are not in the bundle')
    must(`0x${hex(sha256(file(samplesPath)))}` === named, 'the score names other samples')
    const told = json(samplesPath)
    must(isSamples(told), `${samplesPath} is no list of samples`)
    const { request, window } = record(sources.marketQualityScore).payload
    must(
      told.usableSlippagePips === (request?.usableSlippagePips ?? 20_000),
      'the samples have another limit',
    )
    let last = seconds(window.from) - 1
    let [all, usable] = [0n, 0n]
    for (const { from, to, samples, isUsable, worstSlippagePips } of told.runs) {
      must(from > last && to >= from && to <= seconds(window.to), 'the samples are out of order')
      must(samples >= 1 && samples <= to - from + 1, 'a run has more samples than seconds')
      must(
        isUsable === worstSlippagePips <= told.usableSlippagePips,
        'a run is on the other side of the limit',
      )
      all += BigInt(samples)
      if (isUsable) usable += BigInt(samples)
      last = to
    }
    must(all > 0n, 'there are no samples')
    const share = Number(divideHalfEven(usable * MILLION, all))
    must(share === passport.historicalReliabilityPips, `is ${share} by its samples`)
    return `${usable} of ${all} samples are usable; the score seals them, and their states are not in the bundle`
  })
  check('B11', 'freshness', 'age of the sources', () => {
    const told = json('sources/freshness.json')
    const times = { scoreWindowEnd: isTime, vaultSnapshot: isTime, 'reconciliation?': isTime }
    must(shape(times)(told), 'has other members than three times')
    must(
      seconds(told.scoreWindowEnd) ===
        seconds(record(sources.marketQualityScore).payload.window.to),
      'the score ends at another time',
    )
    must(
      seconds(told.vaultSnapshot) === seconds(record(sources.vault).payload.snapshot.timestamp),
      'the vault was read at another time',
    )
    must(
      (told.reconciliation === undefined) === (sources.reconciliation === null),
      'a reconciliation is bound or not',
    )
    const oldest = Math.min(...Object.values(told).map(seconds))
    must(
      seconds(passport.generatedAt) - oldest === passport.dataFreshnessSeconds,
      `is ${seconds(passport.generatedAt) - oldest} s`,
    )
    const held = `${passport.dataFreshnessSeconds} s`
    if (told.reconciliation !== undefined) {
      const logged = claims()
      if (logged === null) assertOnly(`${held}; the time of the reconciliation is bound by nothing`)
      must(
        logged.reconciliation?.asOf === told.reconciliation,
        'the log names another time of the reconciliation',
      )
    }
    return held
  })
  integrity('B11', 'compliance', () => {
    const { executions } = json('log/event.json').payload
    const told = executions === undefined ? null : executionsOf(executions)
    if (sources.receipts.count === 0) {
      must(passport.policyCompliancePips === null, 'nothing was executed, so there is no share')
      must(told === null || told.judged === 0n, 'the log counts executions')
      return 'nothing was executed'
    }
    if (told) must(told.share === passport.policyCompliancePips, `is ${told.share} by the log`)
    const verdicts = optionalJson(setFiles.receipts).map(({ payload }) => payload?.verdict)
    if (verdicts.includes(undefined)) {
      withhold(
        `${told ? `${told.words}, says the log; ` : ''}the receipts are not disclosed`,
        'the receipts',
      )
    }
    const of = (verdict) => verdicts.filter((one) => one === verdict).length
    const found = executionsOf({
      compliant: of('COMPLIANT'),
      violating: of('VIOLATING'),
      indeterminate: of('INDETERMINATE'),
    })
    must(found.share === passport.policyCompliancePips, `is ${found.share}`)
    must(told === null || told.words === found.words, `receipts: ${found.words}`)
    return found.words
  })
  integrity('B11', 'limits', () => {
    must(
      (passport.policyLimits !== undefined) ===
        (passport.disclosure.showPolicyLimits && sources.policy !== null),
      'are shown or withheld against the disclosure',
    )
    if (passport.policyLimits === undefined) return 'none are disclosed'
    const { payload } = record(sources.policy)
    for (const name of [
      ...Object.keys(passport.policyLimits),
      'minimumPriceX18',
      'maximumPriceX18',
    ])
      must(
        same(payload[name] ?? null, passport.policyLimits[name] ?? null),
        `${name} is another than the policy says`,
      )
  })
  integrity('B11', 'incidents', () => {
    const { incidentDetails: details } = passport
    must(
      (details !== undefined) === showIncidentDetails,
      'are shown or withheld against the disclosure',
    )
    must(
      details === undefined || details.anomalies.length === sources.anomalies.count,
      'other details are shown than are bound',
    )
    // v1 incidents are identified by issuer hashes and have no record in the bundle.
    const ofV1 = details?.v1IncidentEvidenceHashes.length ?? null
    const requireCount = (critical) => {
      const more = passport.majorIncidentCount - critical
      must(more >= 0 && (ofV1 === null || more <= ofV1), 'are counted otherwise')
      if (more > 0) assertOnly(`${more} of v1, which only the issuer tells`)
    }
    if (sources.anomalies.count === 0) {
      requireCount(0)
      return 'there was none'
    }
    const found = optionalJson(setFiles.anomalies)
    if (found.some(({ payload }) => payload === undefined))
      withhold('they are not disclosed', 'the incidents')
    const told = found
      .map(({ payload: { detectorVersion, kind, severity }, artifactHash }) => ({
        detectorVersion,
        kind,
        severity: severity ?? 'INFO',
        artifactHash,
      }))
      .sort((a, b) => (a.artifactHash < b.artifactHash ? -1 : 1))
    must(
      details === undefined || same(details.anomalies, told),
      'other details are shown than the records say',
    )
    const [to, from] = [seconds(passport.generatedAt), seconds(passport.generatedAt) - 90 * 86_400]
    const critical = found.filter(
      ({ payload }) =>
        payload.severity === 'CRITICAL' ||
        payload.criticalAt.some((span) => seconds(span.from) <= to && seconds(span.to) >= from),
    )
    requireCount(new Set(critical.map(({ payload }) => payload.fingerprint)).size)
  })
  integrity('B11', 'owned liquidity', () => {
    const named = positionsHash()
    if (!showTreasuryOwnership) {
      must(named === null, 'the log names positions against the disclosure')
      return 'is not disclosed'
    }
    if (named === null) assertOnly('the log names no positions, as in earlier releases')
    must(`0x${hex(sha256(file(positionsPath)))}` === named, 'the log names other positions')
    const told = json(positionsPath)
    must(isPositions(told), `${positionsPath} is no list of positions`)
    const { chainId, safeAddress, pair } = record(sources.vault).payload
    must(
      told.quote === `eip155:${chainId}/erc20:${pair.quote.toLowerCase()}`,
      'the positions are in another quote',
    )
    const sum = told.positions.reduce((all, { quote }) => all + integerOf(quote), 0n)
    must(sum === integerOf(passport.treasuryOwnedLiquidityQuote), `the positions hold ${sum}`)
    const ids = new Set(told.positions.map(({ entry }) => entry.id))
    must(ids.size === told.positions.length, 'a position is counted twice')
    for (const { entry, block, control } of told.positions) {
      must(block.chainId === chainId, `${entry.id} is of another chain`)
      must(
        seconds(block.timestamp) <= seconds(passport.generatedAt),
        `${entry.id} was read after the passport`,
      )
      must(
        seconds(passport.generatedAt) - seconds(block.timestamp) <= 86_400,
        `${entry.id} was read more than a day before the passport`,
      )
      must(
        seconds(control.until) > seconds(passport.generatedAt),
        `the evidence of ${entry.id} had ended`,
      )
    }
    const entries = optionalJson(setFiles.ledgerEntries)
    const safe = `eip155:${chainId}:${safeAddress.toLowerCase()}`
    for (const { entry, claim, container, quote, block } of told.positions) {
      const found = entries.find(({ id }) => id === entry.id)
      must(
        found?.payload !== undefined && found.resourceVersion === entry.resourceVersion,
        `${entry.id} is not among the bound entries`,
      )
      const { asset, assetClass, containerKey, observed, computation } = found.payload
      must(
        assetClass === 'LP_CLAIM' &&
          asset === claim &&
          [containerKey, container].every((one) => one === safe),
        `${entry.id} is no such liquidity claim of the Safe`,
      )
      const base = `eip155:${chainId}/erc20:${pair.base.toLowerCase()}`
      must(
        [base, told.quote].every((token) => observed.legs.some(({ asset }) => asset === token)),
        `${entry.id} does not hold both tokens of the pair`,
      )
      const held = observed.legs
        .filter((leg) => leg.asset === told.quote)
        .reduce((all, leg) => all + integerOf(leg.quantity), 0n)
      must(held === integerOf(quote), `${entry.id} holds ${held}`)
      must(
        computation.snapshot.chains.some(
          (one) =>
            one.chainId === block.chainId &&
            one.blockNumber === block.number &&
            one.blockHash === block.hash &&
            seconds(one.timestamp) === seconds(block.timestamp),
        ),
        `${entry.id} was read at another block`,
      )
    }
    return `${sum} in ${told.positions.length} positions, as the bound entries say`
  })
  let entriesById
  /** Ledger entry of a reference, if its record is in the bundle. */
  const entryOf = ({ id, resourceVersion }) => {
    entriesById ??= new Map(optionalJson(setFiles.ledgerEntries).map((one) => [one.id, one]))
    const found = entriesById.get(id)
    must(
      found?.payload !== undefined && found.resourceVersion === resourceVersion,
      `${id} is not among the bound entries`,
    )
    return found.payload
  }
  /** Atoms of the base and the quote in an entry. */
  const atomsIn = (payload, { base, quote }) => {
    const legs = legsOf(payload)
    const sumOf = (key) =>
      legs.reduce((sum, leg) => (leg.asset === key ? sum + integerOf(leg.quantity) : sum), 0n)
    return { base: sumOf(base), quote: sumOf(quote) }
  }
  const positionEntries = () =>
    positionsHash() === null ? [] : json(positionsPath).positions.map(({ entry }) => entry)
  /** Pool behind the price, with its orientation; null if one pool does not make it. */
  const pricedPool = () => {
    if (sources.venueObservations.length > 1) return null
    const input = json(`inputs/${sources.venueObservations[0].id}.json`)
    must(text(input.kind), 'is no state of a pool')
    if (input.kind !== 'UNISWAP_V2' && input.kind !== 'UNISWAP_V3') return null
    requirePoolState(input)
    const { pair } = record(sources.vault).payload
    return { input, baseIsToken0: pair.base.toLowerCase() < pair.quote.toLowerCase() }
  }
  /** The price of the treasury, and whether the pool of the bundle gives it. */
  const priceOf = ({ price }) => {
    const [num, den] = [BigInt(price.num), BigInt(price.den)]
    const pool = pricedPool()
    if (pool !== null) {
      const own = midOf(pool.input, pool.baseIsToken0)
      must(num * own.den === own.num * den, 'the price is another than that of the pool')
    }
    return { num, den, isProven: pool !== null }
  }
  const requireProven = ({ isProven }, held) => {
    if (!isProven) assertOnly(`${held}; the price of these pools is not written here`)
    return held
  }
  const worthOf = (payload, tokens, { num, den }) => {
    for (const { asset, quantity } of legsOf(payload))
      must(
        asset === tokens.base || asset === tokens.quote || integerOf(quantity) === 0n,
        'an entry holds another token',
      )
    const { base, quote } = atomsIn(payload, tokens)
    return quote + (base * num) / den
  }
  const sumOf = (values) => values.reduce((sum, value) => sum + value, 0n)

  integrity('B11', 'quote balances and own tokens', () => {
    if (!showTreasuryOwnership) {
      must(claims()?.treasury === undefined, 'the log names a treasury against the disclosure')
      return 'are not disclosed'
    }
    const treasury = treasuryEvidence()
    const { chainId, safeAddress } = record(sources.vault).payload
    const positions = positionEntries()
    const named = new Set([
      ...treasury.idle.map(({ entry }) => entry.id),
      ...positions.map(({ id }) => id),
    ])
    must(named.size === treasury.idle.length + positions.length, 'an entry is counted twice')
    for (const { entry, base, quote, control } of treasury.idle) {
      const payload = entryOf(entry)
      const held = atomsIn(payload, treasury)
      must(
        payload.containerKey === `eip155:${chainId}:${safeAddress.toLowerCase()}`,
        `${entry.id} is not of the Safe`,
      )
      must(
        held.base === integerOf(base) && held.quote === integerOf(quote),
        `${entry.id} holds ${held.base} and ${held.quote}`,
      )
      const read = payload.computation?.snapshot?.chains.find((one) => one.chainId === chainId)
      const age =
        seconds(passport.generatedAt) -
        seconds(read?.timestamp ?? refuse(`${entry.id} was not read on chain`))
      must(age >= 0, `${entry.id} was read after the passport`)
      must(age <= 86_400, `${entry.id} was read more than a day before the passport`)
      must(
        seconds(control.until) > seconds(passport.generatedAt),
        `the evidence of ${entry.id} had ended`,
      )
    }
    const { owned, idle } = treasury
    const inPositions = positions.map((entry) => atomsIn(entryOf(entry), treasury))
    const told = [
      owned.positions.base,
      owned.positions.quote,
      owned.quoteBalance,
      owned.ownTokens.base,
    ].map(integerOf)
    const found = [
      sumOf(inPositions.map(({ base }) => base)),
      sumOf(inPositions.map(({ quote }) => quote)),
      sumOf(idle.map(({ quote }) => integerOf(quote))),
      sumOf(idle.map(({ base }) => integerOf(base))),
    ]
    must(
      found.every((value, i) => value === told[i]),
      `the entries hold ${found.join(', ')}`,
    )
    return `${found[2]} quote and ${found[3]} base outside positions, as the bound entries say`
  })
  integrity('B11', 'realizable value of own tokens', () => {
    if (!showTreasuryOwnership) return 'is not disclosed'
    const { base, realizableQuote } = treasuryEvidence().owned.ownTokens
    const amount = integerOf(base)
    const pool = pricedPool()
    if (amount > 0n && pool === null) assertOnly('a sale in these pools is not written here')
    const found = amount === 0n ? 0n : saleOf(pool.input, pool.baseIsToken0, amount)
    must(
      found === (realizableQuote === null ? null : integerOf(realizableQuote)),
      `is ${found === null ? 'none' : found}`,
    )
    return found === null
      ? 'the pool cannot take all of them in one sale'
      : `${found} in one sale, own positions left in the pool`
  })
  integrity('B11', 'rented liquidity', () => {
    if (!showTreasuryOwnership) return 'is not disclosed'
    const treasury = treasuryEvidence()
    const told = integerOf(passport.rentedLiquidityQuote)
    const rented = treasury.rentedObservations
    must(
      rented.every((one, i) => {
        const isFirst = rented.findIndex(({ id }) => id === one.id) === i
        return isFirst && sources.venueObservations.some((bound) => same(bound, one))
      }),
      'an observation is not bound, or counted twice',
    )
    if (rented.length === 0) {
      must(told === 0n, 'is 0: no venue has an active program')
      return '0: the log names no venue with an active program'
    }
    const price = priceOf(treasury)
    const locked = sumOf(
      rented.map((one) => integerOf(record(one).payload.metrics.tvlQuote ?? '0')),
    )
    const own = sumOf(positionEntries().map((entry) => worthOf(entryOf(entry), treasury, price)))
    const found = locked > own ? locked - own : 0n
    must(found === told, `is ${found}`)
    return requireProven(price, `${found} in ${rented.length} venues with an active program`)
  })
  integrity('B11', 'external managers', () => {
    if (!showTreasuryOwnership) return 'are not disclosed'
    const treasury = treasuryEvidence()
    const price = priceOf(treasury)
    const external = optionalJson(setFiles.ledgerEntries).filter(({ payload }) =>
      ['MARKET_MAKER_ACCOUNT', 'CUSTODIAN_ACCOUNT'].includes(payload?.container?.kind),
    )
    const found = sumOf(external.map(({ payload }) => worthOf(payload, treasury, price)))
    must(found === integerOf(passport.externalManagerExposureQuote), `hold ${found}`)
    const held = `${found} in ${external.length} bound entries`
    return found === 0n ? held : requireProven(price, held)
  })
  integrity('B11', 'names of managers', () => {
    const told = claims()
    if (passport.externalManagerNames === undefined) {
      must(told?.managers === undefined, 'the log names managers against the disclosure')
      return 'are not disclosed'
    }
    if (told === null) assertOnly('the log names no evidence of them, as in earlier releases')
    const { mandates, custodians } = told.managers ?? refuse(`${claimsPath} lacks the managers`)
    must(
      same(
        mandates.map(({ mandate }) => mandate),
        sources.mandates,
      ),
      'other mandates are named than are bound',
    )
    const names = [...new Set([...mandates.map(({ name }) => name), ...custodians])].sort()
    must(same(names, passport.externalManagerNames), 'are others')
    return `${names.length}, as the log names them; the mandates are bound by their hashes`
  })
  integrity('B11', 'reconciled positions', () => {
    const told = passport.reconciledPositionCount
    if (sources.reconciliation === null) {
      must(told === 0, 'positions are reconciled, but no reconciliation is bound')
      return 'no reconciliation is bound'
    }
    if (!showTreasuryOwnership)
      withhold(
        'the lines of the reconciliation are not disclosed',
        'the lines of the reconciliation',
      )
    const { lines } = treasuryEvidence()
    must(
      new Set(lines.map(({ assetKey }) => assetKey)).size === lines.length,
      'a line is there twice',
    )
    for (const { assetKey, ledger, custody, chain } of lines) {
      const sides = [ledger, custody, chain].filter((side) => side !== null)
      must(
        sides.length > 1 && sides.every((side) => side === ledger),
        `the sides of ${assetKey} do not agree`,
      )
    }
    must(lines.length === told, `are ${lines.length}`)
    return `${told} lines of the Safe, each with equal sides, as the log names them`
  })
  integrity('B11', 'disclosure', () => {
    const shown = {
      treasuryOwnedLiquidityQuote: showTreasuryOwnership,
      rentedLiquidityQuote: showTreasuryOwnership,
      externalManagerExposureQuote: showTreasuryOwnership,
      externalManagerNames: passport.disclosure.showExternalManagerNames,
    }
    for (const [name, isShown] of Object.entries(shown))
      must(
        (passport[name] !== undefined) === isShown,
        `${name} is shown or withheld against the disclosure`,
      )
  })

  const chains = [...state.files.keys()].filter((path) => path.startsWith('chain/'))
  state.proven = []
  state.provenBlocks = new Set()
  for (const path of chains) {
    integrity('B12', path, () => {
      const proof = json(path)
      must(isChainProof(proof), 'is no proof of accounts')
      state.provenBlocks.add(proof.hash)
      must(
        sources.blocks.some(
          (one) =>
            one.hash === proof.hash &&
            one.number === proof.number &&
            one.chainId === proof.chainId &&
            one.timestamp === proof.timestamp,
        ),
        'is of a block that is not bound',
      )
      const header = rlp(fromHex(proof.header))
      must(
        `0x${hex(keccak256(fromHex(proof.header)))}` === proof.hash,
        'the header has another hash',
      )
      must(
        BigInt(`0x0${hex(header[8])}`) === integerOf(proof.number) &&
          BigInt(`0x0${hex(header[11])}`) === BigInt(seconds(proof.timestamp)),
        'the header is of another block',
      )
      for (const account of proof.accounts) {
        must(
          readings().some(
            ({ at, address }) => at.hash === proof.hash && address === account.address,
          ),
          `${account.address} is no account that is bound at this block`,
        )
        const found = trieValue(
          header[3],
          keccak256(bytesOfHex(account.address.slice(2))),
          account.accountProof,
        )
        must(found, `${account.address} is not there`)
        const fields = rlp(found)
        must(Array.isArray(fields) && fields.length === 4, `${account.address} is no account`)
        const [, , storageRoot, codeHash] = fields
        must(`0x${hex(codeHash)}` === account.codeHash, `${account.address} has other code`)
        const slots = new Map()
        for (const { key, value, proof: path } of account.storage) {
          const stored = trieValue(storageRoot, keccak256(fromHex(key)), path)
          const decoded = stored === null ? new Uint8Array() : rlp(stored)
          must(!Array.isArray(decoded), `slot ${key} of ${account.address} holds a list`)
          const number = BigInt(`0x0${hex(decoded)}`)
          must(number === integerOf(value), `slot ${key} of ${account.address} holds another value`)
          slots.set(key, number)
        }
        state.proven.push({ block: proof.hash, address: account.address, slots })
      }
      return `${proof.accounts.length} accounts at block ${proof.number}`
    })
  }
  /** A block is proven for all accounts read at it, or for no account. */
  const provenSlots = (block, address) => {
    const found = state.proven.find((one) => one.block === block && one.address === address)
    if (found) return found.slots
    must(!state.provenBlocks.has(block), 'the proof of its block lacks the account')
    return skip('no proof of its block is in the bundle', 'proofs of the chain')
  }
  integrity('B12', 'control of the vault', () => {
    const { payload } = record(sources.vault)
    requireControl(provenSlots(payload.snapshot.hash, payload.safeAddress), payload.control)
    return `${payload.control.threshold} of ${payload.control.owners.length} owners, as the chain has them`
  })
  for (const named of sources.venueObservations) {
    integrity('B12', `state of ${named.id}`, () => {
      const { state: observed } = record(named).payload
      const input = json(`inputs/${named.id}.json`)
      const { address } = record(record(named).payload.venue).payload
      requirePool(provenSlots(observed.at.hash, address), input)
      return `as the chain has it at block ${observed.at.number}; fee and ticks that it leaves out are not proven`
    })
  }
  check('B12', 'authority', 'blocks', () => {
    if (!options.blockHashes)
      ask('give --rpc: whose chain it is only a node of your choice can tell', '--rpc')
    for (const block of sources.blocks)
      must(
        options.blockHashes.get(`${block.chainId}/${block.number}`) === block.hash,
        `the node has another block ${block.number}`,
      )
    return `${sources.blocks.length} blocks, as your node has them`
  })

  check('B13', 'authority', 'results registry', () => {
    const { resultsRegistryReceipt: receipt } = passport
    const { registry } = state.keys
    const names = [
      'resultsRegistryProviderId',
      'resultsRegistryProviderResourceVersion',
      'resultsRegistryProviderAttestationHash',
      'resultsRegistryCommitmentHash',
      'resultsRegistryReceipt',
    ]
    const missingNames = names.filter((name) => passport[name] === undefined)
    if (missingNames.length === names.length) {
      must(
        !state.files.has('registry-receipt.json'),
        'a receipt is there that the passport does not name',
      )
      must(registry === undefined, 'keys.json names a registry that the passport does not name')
      return 'the passport names none'
    }
    must(missingNames.length === 0, `the passport lacks ${missingNames.join(', ')}`)
    must(same(json('registry-receipt.json'), receipt), 'the file is another receipt')
    must(
      registry && fingerprint(registry.publicKey) === sources.keys.registry,
      'the key is not the one that the issuer signed for',
    )
    must(
      registry.providerId === passport.resultsRegistryProviderId &&
        registry.resourceVersion === passport.resultsRegistryProviderResourceVersion &&
        receipt.providerId === passport.resultsRegistryProviderId &&
        receipt.providerResourceVersion === passport.resultsRegistryProviderResourceVersion &&
        receipt.providerAttestationHash === passport.resultsRegistryProviderAttestationHash,
      'the receipt is of another registry',
    )
    must(
      isSigned(
        registry.publicKey,
        D('liquidity-passport-results-registry-receipt/v1', without(receipt, 'signature')),
        receipt.signature,
      ),
      'the receipt is not of this key',
    )
    const subject = H(
      'liquidity-passport-subject/v1',
      without(passport, 'contentHash', 'signature', ...names),
    )
    const { providerId, providerResourceVersion, providerAttestationHash } = receipt
    const commitment = H('liquidity-passport-results-registry-commitment/v1', {
      providerId,
      providerResourceVersion,
      providerAttestationHash,
      passportSubjectHash: subject,
    })
    must(
      receipt.passportSubjectHash === subject &&
        receipt.commitmentHash === commitment &&
        passport.resultsRegistryCommitmentHash === commitment,
      'the receipt is of another passport',
    )
    return vouched(`a receipt of ${receipt.issuedAt}`)
  })
  check('B14', 'authority', 'formats', () => {
    const statements = json('artifacts.json')
    must(Array.isArray(statements), 'is no list')
    must(statements.length <= limits.statements, `more than ${limits.statements} statements`)
    for (const { statement, keyId, signature, ...more } of statements) {
      must(Object.keys(more).length === 0, 'a statement has members that nothing signs')
      must(
        statement.passportContentHash === passport.contentHash,
        'a statement is of another passport',
      )
      const key = serviceKey(keyId)
      must(
        fingerprint(key) === sources.keys.service,
        'the key is not the one that the issuer signed for',
      )
      must(
        isSigned(key, D('artifact-statement/v1', statement), signature),
        `the statement of ${statement.format} does not hold`,
      )
    }
    const own = statements.find(({ statement }) => statement.format === 'json')
    must(
      own?.statement.sha256 === `0x${hex(sha256(file('passport.json')))}`,
      'the JSON has another hash',
    )
    return vouched(`${statements.length} files are named by their hashes`)
  })
  check('B15', 'status', 'time', () => {
    const at = options.at ?? json('revocations.json').asOf
    must(isTime(at), 'the time for which you ask is written YYYY-MM-DDThh:mm:ssZ')
    must(seconds(at) < seconds(passport.validUntil), `expired at ${passport.validUntil}`)
    return vouched(`valid until ${passport.validUntil}, asked for ${at}`)
  })
  check('B15', 'status', 'revocations', () => {
    const told = json('revocations.json')
    must(
      told.revocations.length <= limits.revocations,
      `more than ${limits.revocations} revocations`,
    )
    const key = serviceKey(told.keyId)
    must(
      fingerprint(key) === sources.keys.service,
      'the key is not the one that the issuer signed for',
    )
    must(
      isSigned(key, D('revocations/v1', without(told, 'signature')), told.signature),
      'the statement does not hold',
    )
    must(told.slug === passport.slug && isTime(told.asOf), 'the statement is of another slug')
    // A statement about an earlier passport under the slug does not apply to this one.
    must(
      seconds(told.asOf) + CLOCK_SECONDS >= seconds(passport.generatedAt),
      `the statement is of ${told.asOf}, before the passport was made`,
    )
    for (const one of told.revocations) {
      must(
        isSigned(
          serviceKey(one.keyId),
          D('revocation/v1', without(one, 'signature')),
          one.signature,
        ),
        'a revocation does not hold',
      )
      must(one.contentHash !== passport.contentHash, `revoked at ${one.revokedAt}: ${one.code}`)
    }
    const later =
      seconds(options.at ?? told.asOf) > seconds(told.asOf)
        ? `; what was revoked after ${told.asOf} is not known here`
        : ''
    return vouched(`not revoked as of ${told.asOf}${later}`)
  })
  const asOf = options.at ?? optionalAsOf(state.files)
  return finish(lines, { simulated: simulatedChains(passport), asOf })
}

/** Time of the revocations; null if they cannot be read, which B15 reports. */
function optionalAsOf(files) {
  try {
    return parseCanonical(files.get('revocations.json')).asOf
  } catch {
    return null
  }
}

/** Assets of an entry: what was lent, its legs, or its one asset. */
function legsOf({ asset, loan, observed }) {
  if (loan) return [{ asset, quantity: loan.lentTokens }]
  must(observed, 'an entry was not read')
  return observed.legs.length > 0 ? observed.legs : [{ asset, quantity: observed.quantity }]
}

/** Price of a pool in quote atoms per base atom. */
function midOf(state, baseIsToken0) {
  const [a, b] =
    state.kind === 'UNISWAP_V3'
      ? [integerOf(state.sqrtPriceX96) ** 2n, 1n << 192n]
      : [integerOf(state.reserve1), integerOf(state.reserve0)]
  return baseIsToken0 ? { num: a, den: b } : { num: b, den: a }
}

/** Quote of one sale of base tokens; null if the pool cannot take all of them or pays nothing. */
function saleOf(state, baseIsToken0, amount) {
  const output = (state.kind === 'UNISWAP_V3' ? swapV3 : swapV2)(state, baseIsToken0, amount)
  return output === 0n ? null : output
}

/** Quotient of integers above or at zero, rounded half to even. */
function divideHalfEven(dividend, divisor) {
  const below = dividend / divisor
  const rest = 2n * (dividend - below * divisor)
  if (rest < divisor) return below
  return rest > divisor || below % 2n === 1n ? below + 1n : below
}

/** Slots 0, 3, 4 and 5 of a Safe, and its list of owners in the mapping of slot 2. */
function requireControl(slots, { singleton, owners, threshold, nonce }) {
  const at = (number) =>
    slots.get(`0x${hex(word32(number))}`) ?? refuse('a slot of the Safe is not proven')
  must(at(0) === integerOf(singleton), 'the singleton is another')
  must(
    at(3) === integerOf(owners.length) &&
      at(4) === integerOf(threshold) &&
      at(5) === integerOf(nonce),
    'number of owners, threshold or nonce is another',
  )
  const named = new Set(owners.map(integerOf))
  let owner = 1n
  for (let step = 0; step <= owners.length; step++) {
    owner =
      slots.get(`0x${hex(mapped(`0x${owner.toString(16)}`, 2))}`) ??
      refuse('an owner is not proven')
    if (owner === 1n) break
    must(named.delete(owner), 'an owner is another')
  }
  must(owner === 1n && named.size === 0, 'the owners are others')
}

/** Storage slots of Uniswap pools that determine a quote. */
function requirePool(slots, input) {
  must(text(input.kind), 'is no state of a pool')
  if (input.kind !== 'UNISWAP_V2' && input.kind !== 'UNISWAP_V3')
    assertOnly(`pools of kind ${input.kind} are not written here`)
  const at = (key) => slots.get(`0x${hex(key)}`) ?? refuse('a slot of the pool is not proven')
  const part = (value, from, bits) => BigInt.asUintN(bits, value >> BigInt(from))
  if (input.kind === 'UNISWAP_V2') {
    const reserves = at(word32(8))
    must(
      part(reserves, 0, 112) === integerOf(input.reserve0) &&
        part(reserves, 112, 112) === integerOf(input.reserve1),
      'the reserves are others',
    )
    return
  }
  const first = at(word32(0))
  must(
    part(first, 0, 160) === integerOf(input.sqrtPriceX96) &&
      BigInt.asIntN(24, first >> 160n) === integerOf(input.tick),
    'the price is another',
  )
  must(part(at(word32(4)), 0, 128) === integerOf(input.liquidity), 'the liquidity is another')
  for (const { index, liquidityGross, liquidityNet } of input.ticks) {
    const stored = at(keccak256(concat(word32(BigInt.asUintN(256, integerOf(index))), word32(5))))
    must(
      part(stored, 0, 128) === integerOf(liquidityGross) &&
        BigInt.asIntN(128, stored >> 128n) === integerOf(liquidityNet),
      `tick ${index} is another`,
    )
  }
}

/** Asks for the key of the issuer, and says what owners of the Safe signed for it. */
function authorized(keys, passport, files) {
  const option = '--issuer-key'
  if (!keys.authorization) ask('give --issuer-key: only the bundle says whose key it is', option)
  const signed = requireAuthorization(keys, passport, files)
  return ask(
    `${signed}; that this Safe is the issuer's you must know from elsewhere, and B12 that these are its owners`,
    option,
  )
}

/** Requires that the owners of the Safe signed for the key. */
function requireAuthorization({ issuer, authorization }, passport, files) {
  const { chainId, safe, version, organizationHash, issuedAt, expiresAt, signatures } =
    authorization
  const vault = parseCanonical(files.get(`sources/${passport.sourceBindings.vault.id}.json`))
  must(
    vault.payload.safeAddress.toLowerCase() === safe.toLowerCase() &&
      vault.payload.chainId === chainId &&
      vault.payload.control.version === version,
    'another Safe signed for the key',
  )
  must(
    H('organization/v1', { organizationId: vault.organizationId }) === organizationHash,
    'another organization is named',
  )
  must(
    seconds(issuedAt) <= seconds(passport.generatedAt) &&
      seconds(passport.generatedAt) < seconds(expiresAt),
    'the authorization was not of that time',
  )
  const k = (text_) => keccak256(utf8(text_))
  const domain = keccak256(
    concat(
      ...[
        k('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
        k('Liquidity OS Passport Signer'),
        k('1'),
      ],
      ...[word32(chainId), word32(safe)],
    ),
  )
  const struct = keccak256(
    concat(
      k(
        'PassportSignerAuthorization(bytes32 organizationHash,bytes32 publicKey,uint64 issuedAt,uint64 expiresAt)',
      ),
      ...[
        fromHex(organizationHash),
        base64(issuer.publicKey, 32),
        word32(seconds(issuedAt)),
        word32(seconds(expiresAt)),
      ],
    ),
  )
  const digest = keccak256(concat(Uint8Array.of(0x19, 0x01), domain, struct))
  const safeDomain = keccak256(
    concat(
      k('EIP712Domain(uint256 chainId,address verifyingContract)'),
      word32(chainId),
      word32(safe),
    ),
  )
  const message = keccak256(concat(k('SafeMessage(bytes message)'), keccak256(digest)))
  const signed = keccak256(concat(Uint8Array.of(0x19, 0x01), safeDomain, message))
  const { owners, threshold } = vault.payload.control
  must(count(threshold) && threshold > 0, 'the vault has no threshold')
  const packed = fromHex(signatures)
  must(
    packed.length <= limits.bytesOfSignatures,
    `the signatures are longer than ${limits.bytesOfSignatures} bytes`,
  )
  const signers = new Set()
  for (let from = 0; from + 65 <= packed.length && signers.size < threshold; from += 65) {
    const signer = recover(signed, packed.subarray(from, from + 65))
    if (signer === null) return 'a signature of the owners is of a kind that is not written here'
    must(
      signer !== '0x0000000000000000000000000000000000000001' &&
        owners.some((one) => one.toLowerCase() === signer),
      'a signature is of no owner',
    )
    signers.add(signer)
  }
  must(signers.size >= threshold, `${signers.size} of ${threshold} owners signed`)
  return `${signers.size} owners of ${safe} signed for it`
}

// Local chains and public test networks: the list of the contract, packages/contract/src/generated/test-networks.json.
const testChains = new Set(
  (
    '3 4 5 16 21 31 41 51 71 83 89 97 114 133 153 157 164 202 216 261 270 272 282 296 297 ' +
    '300 338 365 398 420 462 475 545 595 599 627 646 681 699 701 785 825 842 919 943 997 998 ' +
    '1001 1028 1038 1073 1075 1112 1114 1115 1123 1131 1230 1287 1301 1315 1328 1336 1337 ' +
    '1338 1439 1442 1453 1513 1516 1663 1686 1874 1879 1891 1924 1946 1952 1993 1995 2017 ' +
    '2022 2024 2039 2201 2221 2331 2340 2358 2391 2442 2443 2522 2625 2710 2730 2810 3110 ' +
    '3141 3636 3939 3993 4002 4090 4112 4201 4202 4203 4460 4690 4759 4777 4801 5001 5003 ' +
    '5115 5124 5611 5700 5887 6000 6343 6423 6497 7001 7120 7234 7672 8082 8150 8408 8882 ' +
    '9000 9280 9496 9746 9747 9990 10081 10143 10200 10218 10243 11011 11124 11822 12325 ' +
    '13001 13337 13473 14800 14853 15000 15557 16600 16601 16602 17000 17069 18233 18881 ' +
    '20993 20994 21363 23023 23295 23452 25925 28882 29112 31318 31337 31611 33101 33111 ' +
    '34952 35443 37111 40204 42000 42070 42421 42431 43113 43521 43851 44787 46630 46688 ' +
    '48898 50006 50312 50341 53302 53457 54170 54211 55931 57000 57054 58008 59140 59141 ' +
    '59902 60600 62049 62092 64165 64240 66665 72344 80001 80002 80008 80069 80084 80085 ' +
    '84531 84532 88882 88991 91342 97476 98864 98867 101003 102031 102032 105363 120893 ' +
    '124832 127823 128123 132902 167005 167007 167008 167009 167013 181228 200024 200810 ' +
    '202601 205205 314159 421613 421614 450815 490092 534351 560048 631571 656476 666666 ' +
    '695569 743111 751230 763373 763375 808813 810181 812242 839999 911867 978658 984123 ' +
    '1337803 1440002 1449000 1612127 1998991 2019775 2524852 2651420 3397901 3441005 3441006 ' +
    '5042002 5201420 5318007 6038361 6912115 7080969 10241025 11142220 11155111 11155420 ' +
    '11155931 12227332 20241133 21000001 28122024 33772211 37084624 41144114 52164803 ' +
    '111557560 161221135 168587773 245022926 324705682 420420421 420420422 531050104 ' +
    '974399131 999999999 1020352220 1313161555 1444673419 1523903251 1660990954 1722641160 ' +
    '1802203764 1952959480 2494104990 3448148188 7078815900 11297108099 37714555429 ' +
    '123420000220 123420001114 920637907288165 2713017997578000'
  )
    .split(' ')
    .map(Number),
)
/** The test chains among those whose blocks the passport is bound to. */
const simulatedChains = ({ sourceBindings }) =>
  [...new Set(sourceBindings.blocks.map(({ chainId }) => chainId))].filter((one) =>
    testChains.has(one),
  )

const kinds = ['integrity', 'authority', 'freshness', 'status']
function finish(lines, { simulated = [], asOf = null } = {}) {
  const of = (kind) => {
    const results = lines.filter((line) => line.kind === kind).map((line) => line.result)
    if (results.includes('FAIL')) return 'FAIL'
    return results.length > 0 && results.every((one) => one === 'PASS') ? 'PASS' : 'NOT_CHECKED'
  }
  const results = Object.fromEntries(kinds.map((kind) => [kind, of(kind)]))
  const ok = !lines.some(({ result }) => result === 'FAIL')
  return { ok, answers: answersOf(lines, asOf), results, simulated, lines }
}

/** The three questions, with the lines that answer each. */
const questions = {
  signed: ['Who signed', /^B([1-9]|13|14)$/],
  figures: ['Is every figure recomputable', /^B1[012]$/],
  current: ['Is it current', /^B1[15]$/],
}
const isOfTime = ({ kind }) => kind === 'freshness' || kind === 'status'
function answersOf(lines, asOf) {
  const failed = (some) => [
    ...new Set(some.flatMap(({ code, result }) => (result === 'FAIL' ? [code] : []))),
  ]
  return Object.entries(questions).map(([name, [title, codes]]) => {
    const own = lines.filter(
      (line) => codes.test(line.code) && isOfTime(line) === (name === 'current'),
    )
    const failing = failed(own)
    if (failing.length > 0)
      return { name, title, answer: 'FAIL', text: `FAIL: ${failing.join(', ')}` }
    if (own.length === 0)
      return {
        name,
        title,
        answer: 'NOT_GIVEN',
        text: `not checked: ${failed(lines).join(', ')} failed`,
      }
    const open = missingWords(own)
    if (open !== '') return { name, title, answer: 'NOT_GIVEN', text: open }
    return { name, title, answer: 'PASS', text: name === 'current' ? `PASS as of ${asOf}` : 'PASS' }
  })
}
/** Sources of what is missing, the reader first. */
const missingFrom = {
  READER: 'you did not give',
  ISSUER: 'the issuer did not disclose',
  BUNDLE: 'the bundle does not give',
}
function missingWords(lines) {
  const list = (words, named) =>
    named.length === 0 ? [] : [`${words} ${[...new Set(named)].join(', ')}`]
  const lacking = Object.entries(missingFrom).flatMap(([from, words]) =>
    list(
      words,
      lines.flatMap(({ missing }) => (missing?.from === from ? [missing.what] : [])),
    ),
  )
  const subjects = lines.flatMap(({ result, detail }) =>
    result === 'ASSERTED' ? [detail.slice(0, detail.indexOf(':'))] : [],
  )
  return [...lacking, ...list('asserted, not recomputed:', subjects)].join('; ')
}

export const simulatedWords = ({ simulated }) =>
  `market: the evidence lies on local or test chains: ${simulated.join(', ')}`

export const internals = {
  testChains,
  limits,
  canonical,
  H,
  keccak256,
  slippage,
  saleOf,
  rootOf,
  recover,
  readZip,
  sqrtAtTick,
  mapped,
  trieValue,
}

// The command line.
async function blockHashes(url, bytes) {
  const passport = JSON.parse(textOf(readZip(bytes).get('passport.json')))
  const found = new Map()
  for (const { chainId, number } of passport.sourceBindings.blocks) {
    const ask = async (method, params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return (await answer.json()).result
    }
    if (Number(await ask('eth_chainId', [])) !== chainId) continue
    const block = await ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
    if (block) found.set(`${chainId}/${number}`, block.hash)
  }
  return found
}

/**
 * Escapes bundle content so that it cannot move a cursor or start a line. JSON stays equivalent.
 */
const printable = (words) =>
  words.replace(/\p{C}/gu, (one) =>
    Array.from({ length: one.length }, (_, at) => one.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  )

async function main(args) {
  const options = {}
  const names = {
    '--issuer-key': 'issuerKey',
    '--known-checkpoint': 'known',
    '--log-key': 'logKey',
    '--witness': 'witness',
    '--at': 'at',
    '--rpc': 'rpc',
  }
  let path
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--json') options.json = true
    else if (names[args[i]]) options[names[args[i]]] = args[++i]
    else if (args[i].startsWith('-') || path !== undefined) return { status: 2, text: USAGE }
    else path = args[i]
  }
  if (path === undefined) return { status: 2, text: USAGE }
  try {
    const bytes = readFileSync(path)
    const found = verifyBundle(bytes, {
      ...options,
      ...(options.known ? { knownCheckpoint: readFileSync(options.known, 'utf8') } : {}),
      ...(options.rpc ? { blockHashes: await blockHashes(options.rpc, bytes) } : {}),
    })
    const lines = found.lines.map(
      ({ code, result, detail }) => `${result.padEnd(11)} ${code.padEnd(3)} ${printable(detail)}`,
    )
    const sums = found.answers.map(({ title, text }) => printable(`${title}: ${text}`))
    const mark = found.simulated.length > 0 ? [`SIMULATED   ${simulatedWords(found)}`] : []
    const words = `${[...mark, ...lines, '', ...sums].join('\n')}\n`
    const told = options.json ? `${printable(JSON.stringify(found))}\n` : words
    return { status: found.ok ? 0 : 1, text: told }
  } catch (error) {
    return { status: 2, text: `${printable(error.message)}\n` }
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { status, text: words } = await main(process.argv.slice(2))
  process[status === 2 ? 'stderr' : 'stdout'].write(words)
  process.exitCode = status
}
