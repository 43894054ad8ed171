export { computeStudy, type StudyVersion } from './compute-study.ts'
export { pairOf } from './read-capital-input.ts'
export { capitalRequirements } from './records.ts'
export { usableStudy } from './usable-study.ts'
