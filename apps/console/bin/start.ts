import { buildWhenStale } from './build.ts'

await buildWhenStale()
