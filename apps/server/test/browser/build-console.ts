import { buildWhenStale } from '../../../console/bin/build.ts'

/** The service gives what was built; every file of these tests opens pages of it. */
export default buildWhenStale
