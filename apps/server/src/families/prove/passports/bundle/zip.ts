import { crc32 } from 'node:zlib'

/** 1 January 1980, 00:00, the DOS epoch. */
const dosDate = 0x0021
const [localSignature, centralSignature, endSignature] = [0x04034b50, 0x02014b50, 0x06054b50]

/**
 * Deterministic zip: files uncompressed, names in byte order, one fixed time, no extra fields,
 * comments or gaps. A verifier can rebuild the zip and compare.
 *
 * @see PKWARE APPNOTE 6.3.10, §4.3
 */
export function zipOf(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const names = [...files.keys()].sort()
  const parts: Uint8Array[] = []
  const central: Uint8Array[] = []
  let offset = 0
  for (const name of names) {
    const content = files.get(name)
    if (!content) throw new Error(`File ${name} does not exist.`)
    const path = Buffer.from(name, 'utf8')
    const common = commonOf(content, path.length)
    const local = Buffer.concat([word32(localSignature), common, path])
    parts.push(local, content)
    central.push(
      Buffer.concat([
        ...[word32(centralSignature), word16(20), common],
        // No comment, first disk, no attributes.
        ...[word16(0), word16(0), word16(0), word32(0), word32(offset), path],
      ]),
    )
    offset += local.length + content.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.concat([
    ...[word32(endSignature), word16(0), word16(0), word16(names.length), word16(names.length)],
    ...[word32(directory.length), word32(offset), word16(0)],
  ])
  return Buffer.concat([...parts, directory, end])
}

/**
 * Common part of local header and directory entry: version, flags (UTF-8), stored, time, CRC,
 * sizes, lengths.
 */
function commonOf(content: Uint8Array, nameLength: number): Uint8Array {
  return Buffer.concat([
    ...[word16(20), word16(0x0800), word16(0), word16(0), word16(dosDate)],
    ...[word32(crc32(content)), word32(content.length), word32(content.length)],
    ...[word16(nameLength), word16(0)],
  ])
}

function word16(value: number): Uint8Array {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function word32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
