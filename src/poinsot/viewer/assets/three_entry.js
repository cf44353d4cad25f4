// What the page needs of three.js; .ci/rebuild_three makes `three.bundle.js` beside it from this file.
export {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, CapsuleGeometry, Color, ConeGeometry,
  CylinderGeometry, DirectionalLight, DoubleSide, GridHelper, Group, HemisphereLight, Line, LineBasicMaterial,
  LineSegments, Mesh, MeshBasicMaterial, MeshStandardMaterial, PCFSoftShadowMap, PerspectiveCamera, Plane,
  PlaneGeometry, Quaternion, Raycaster, Scene, ShadowMaterial, SphereGeometry, Sprite, SpriteMaterial, Vector2,
  Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
