import { canonicalize } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { fileHashOf } from '../study-reports/api.ts'
import type { OpenShare } from './open-share.ts'
import type { RenderedShare, RenderSharedTask } from './render-shared-task.ts'
import { signSharedReport } from './shared-report.ts'
import type { Shared } from './shared-words.ts'

/** A file that readers of a link can get. */
export interface SharedFile {
  readonly mediaType: string
  readonly hash: string
  readonly content: Uint8Array
}

/** All renderings of a share: created once, then served to all readers. */
export interface ShownShare {
  readonly study: Shared
  readonly page: string
  /** By format. */
  readonly reports: ReadonlyMap<string, SharedFile>
  /** By name. */
  readonly pictures: ReadonlyMap<string, SharedFile>
}

interface CachedShare {
  readonly shown: Promise<ShownShare>
  bytes: number
}

/**
 * LRU cache of renderings by the hash of their source text. Concurrent readers wait for one
 * rendering and later readers reuse it, so a flood of unauthenticated requests costs one drawing.
 */
const cache = new Map<string, CachedShare>()

export async function shownOf(
  services: Pick<Services, 'metrics' | 'reporting' | 'signingKeys'>,
  { text, url }: OpenShare,
  now: number,
): Promise<ShownShare> {
  const key = `${url} ${fileHashOf(Buffer.from(text))}`
  const known = cache.get(key)
  if (known) {
    cache.delete(key)
    cache.set(key, known)
    return known.shown
  }
  const made: CachedShare = { shown: make(services, { text, url }, now), bytes: 0 }
  cache.set(key, made)
  try {
    const shown = await made.shown
    made.bytes = bytesOf(shown)
    forgetOldest()
    return shown
  } catch (error) {
    cache.delete(key)
    throw error
  }
}

async function make(
  { reporting, signingKeys, metrics }: Pick<Services, 'metrics' | 'reporting' | 'signingKeys'>,
  { text, url }: OpenShare,
  now: number,
): Promise<ShownShare> {
  metrics.countSharedRendering()
  const { data: study } = JSON.parse(text) as { data: Shared }
  const task: RenderSharedTask = { study, url }
  const made = await reporting.run<RenderedShare>(
    new URL('./render-shared-task.ts', import.meta.url),
    task,
  )
  const renderings = made.renderings.map(({ content: _, ...rendering }) => rendering)
  const signed = signSharedReport(made.report, renderings, await signingKeys.current(now))
  const body = Buffer.from(canonicalize(signed))
  const files = made.renderings.map((file): [string, SharedFile] => [file.format, file])
  return {
    study,
    page: made.page,
    reports: new Map([['json', fileOf('application/json', body)], ...files]),
    pictures: new Map(
      made.pictures.map(({ name, svg }) => [
        name,
        fileOf('image/svg+xml; charset=utf-8', Buffer.from(svg)),
      ]),
    ),
  }
}

const fileOf = (mediaType: string, content: Uint8Array): SharedFile => ({
  mediaType,
  hash: fileHashOf(content),
  content,
})

function bytesOf({ page, reports, pictures }: ShownShare): number {
  const files = [...reports.values(), ...pictures.values()]
  return page.length + files.reduce((sum, { content }) => sum + content.length, 0)
}

function forgetOldest(): void {
  let held = [...cache.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  for (const [key, { bytes }] of cache) {
    if (held <= limits.sharedRenderingBytes || cache.size === 1) return
    // Entries in progress have waiting readers.
    if (bytes === 0) continue
    cache.delete(key)
    held -= bytes
  }
}
