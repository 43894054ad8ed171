import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { CachedText, once } from './cached-text.ts'

const text = 'the same for everybody '.repeat(500)
const cached = new CachedText(text)

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
  const { body, headers, etag } = await cached.formFor({ 'accept-encoding': accepted })
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
  const request = { 'accept-encoding': 'gzip' }
  const [a, b] = await Promise.all([cached.formFor(request), cached.formFor(request)])
  expect(a.body).toBe(b.body)
})

it('is made once, and again if that failed', async () => {
  let attempts = 0
  const read = once(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('ENOENT')
    return new CachedText(text)
  })
  await expect(read()).rejects.toThrow('ENOENT')
  const found = await read()
  expect(Buffer.from((await found.formFor({})).body).toString()).toBe(text)
  expect(await read()).toBe(found)
  expect(attempts).toBe(2)
})
