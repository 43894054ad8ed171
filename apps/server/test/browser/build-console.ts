import { buildWhenStale } from '../../../console/bin/build.ts'

/** The service serves the built console, and all these test files open its pages. */
export default buildWhenStale
