import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { KeptText, keptFile } from './kept-text.ts'

const text = 'the same for everybody '.repeat(500)
const kept = new KeptText(text)

it.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['identity', undefined],
  ['gzip;q=0', undefined],
  ['', undefined],
])('is sent as %s takes it', async (accepted, coding) => {
  const { body, headers, etag } = await kept.formFor({ 'accept-encoding': accepted })
  expect(headers['content-encoding']).toBe(coding)
  expect(headers.vary).toBe('accept-encoding')
  const bytes = Buffer.from(body)
  const read = coding === 'br' ? brotliDecompressSync(bytes) : coding ? gunzipSync(bytes) : bytes
  expect(read.toString()).toBe(text)
  if (coding) expect(bytes.length).toBeLessThan(text.length / 10)
  // Other bytes have another strong tag.
  expect(etag.endsWith(coding ? `-${coding}` : '')).toBe(true)
})

it('is compressed once', async () => {
  const asked = { 'accept-encoding': 'gzip' }
  const [a, b] = await Promise.all([kept.formFor(asked), kept.formFor(asked)])
  expect(a.body).toBe(b.body)
})

it('is read once from a file, and again where that failed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'))
  const path = join(folder, 'page.html')
  const read = keptFile(pathToFileURL(path))
  await expect(read()).rejects.toThrow('ENOENT')
  writeFileSync(path, text)
  const found = await read()
  expect(Buffer.from((await found.formFor({})).body).toString()).toBe(text)
  rmSync(folder, { recursive: true })
  expect(await read()).toBe(found)
})
