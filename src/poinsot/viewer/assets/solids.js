"use strict";
// Geometry of what bodies are made of; all solids of a body become one mesh, drawn at once.
window.poinsotSolids = (data, bytes) => {
  const meshes = data.meshes.map((mesh) => {
    const wide = new Uint16Array(bytes(mesh.vertices)), points = new Float32Array(wide.length);
    for (let k = 0; k < wide.length; k++) points[k] = mesh.low[k % 3] + mesh.step[k % 3] * wide[k];
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(bytes(mesh.triangles)), 1));
    return geometry;
  });

  // A closed strip between two outlines of equally many points, with its two flat sides.
  const slab = (inner, outer, width, closed = true) => {
    const points = [], n = outer.length, h = width / 2;
    const put = (...corners) => { for (const [[x, y], z] of corners) points.push(x, y, z); };
    for (let k = 0; k < (closed ? n : n - 1); k++) {
      const a = outer[k], b = outer[(k + 1) % n], c = inner[k], d = inner[(k + 1) % n];
      put([a, h], [b, h], [c, h], [b, h], [d, h], [c, h]);
      put([a, -h], [c, -h], [b, -h], [b, -h], [c, -h], [d, -h]);
      put([a, -h], [b, -h], [a, h], [b, -h], [b, h], [a, h]);
      put([c, -h], [c, h], [d, -h], [d, -h], [c, h], [d, h]);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
    return geometry;
  };
  const FLANKS = [[-0.28, 0], [-0.12, 1], [0.12, 1], [0.28, 0]]; // of a tooth, in pitches; 1 is its tip
  const wheel = (radius, width, teeth, inwards) => {
    const module = 2 * radius / teeth, tip = (inwards ? -0.85 : 0.85) * module, root = -tip;
    const outline = [], other = [];
    for (let k = 0; k < teeth; k++) for (const [place, top] of FLANKS) {
      const angle = 2 * Math.PI * (k + place) / teeth, r = radius + (top ? tip : root);
      const rim = inwards ? radius + 3.5 * module : 0.22 * radius;
      outline.push([r * Math.cos(angle), r * Math.sin(angle)]);
      other.push([rim * Math.cos(angle), rim * Math.sin(angle)]);
    }
    return inwards ? slab(outline, other, width) : slab(other, outline, width);
  };
  const rack = (length, width, pitch) => {
    const n = Math.ceil(length / pitch / 2), outline = [], other = [], module = pitch / Math.PI;
    for (let k = -n; k < n; k++) for (const [place, top] of FLANKS) {
      const x = (k + 0.5 + place) * pitch; // a gap in the middle
      outline.push([x, top ? 0.85 * module : -0.85 * module]);
      other.push([x, -3.5 * module]);
    }
    return slab(outline, other, width, false);
  };

  const geometryOf = (solid) => {
    const [a, b, c] = solid.size;
    if (solid.kind === "box") return new THREE.BoxGeometry(a, b, c);
    if (solid.kind === "sphere") return new THREE.SphereGeometry(a, 28, 18);
    if (solid.kind === "gear" || solid.kind === "ring") return wheel(a, b, c, solid.kind === "ring");
    if (solid.kind === "rack") return rack(a, b, c);
    if (solid.kind === "mesh") return meshes[solid.mesh].clone();
    const turned = solid.kind === "capsule" ? new THREE.CapsuleGeometry(a, b, 8, 24) : new THREE.CylinderGeometry(a, a, b, 36);
    return turned.rotateX(Math.PI / 2); // three.js has them along y
  };
  // In the body's frame; meshes and what is toothed have no normals: their triangles are flat.
  const placed = (solid) => {
    const geometry = geometryOf(solid), holder = new THREE.Group();
    holder.position.fromArray(solid.pose);
    holder.quaternion.fromArray(solid.pose, 3);
    if (solid.kind === "mesh") holder.scale.fromArray(solid.size);
    holder.updateMatrix();
    geometry.applyMatrix4(holder.matrix);
    return geometry;
  };
  // One geometry of several, each with its colour; vertices stay shared, so that few are computed.
  const merged = (solids, colour) => {
    const pieces = solids.map((solid) => [placed(solid), new THREE.Color(solid.colour || colour)]);
    const sum = (size) => pieces.reduce((total, [geometry]) => total + size(geometry), 0);
    const vertices = sum((g) => g.attributes.position.count), corners = sum((g) => (g.index || g.attributes.position).count);
    const position = new Float32Array(3 * vertices), color = new Uint8Array(3 * vertices), index = new Uint32Array(corners);
    const normal = isFlat(solids[0]) ? null : new Float32Array(3 * vertices);
    let first = 0, corner = 0;
    for (const [geometry, own] of pieces) {
      const { position: points, normal: normals } = geometry.attributes;
      position.set(points.array, 3 * first);
      if (normal) normal.set(normals.array, 3 * first);
      for (let k = 3 * first; k < 3 * (first + points.count); k += 3) color.set([255 * own.r, 255 * own.g, 255 * own.b], k);
      const n = (geometry.index || points).count;
      for (let k = 0; k < n; k++) index[corner + k] = first + (geometry.index ? geometry.index.array[k] : k);
      first += points.count;
      corner += n;
      geometry.dispose();
    }
    const whole = new THREE.BufferGeometry();
    whole.setAttribute("position", new THREE.BufferAttribute(position, 3));
    whole.setAttribute("color", new THREE.BufferAttribute(color, 3, true));
    if (normal) whole.setAttribute("normal", new THREE.BufferAttribute(normal, 3));
    whole.setIndex(new THREE.BufferAttribute(index, 1));
    return whole;
  };
  const isFlat = (solid) => ["mesh", "gear", "ring", "rack"].includes(solid.kind);
  const opaque = (solid) => solid.opacity === undefined || solid.opacity === 1;
  const material = (solid, opacity) => {
    const flatShading = isFlat(solid), side = flatShading ? THREE.DoubleSide : 0;
    const made = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.55, metalness: 0.08, flatShading, side });
    if (opacity < 1) Object.assign(made, { transparent: true, opacity, depthWrite: false });
    return made;
  };
  // The meshes of solids that are fixed to each other: one of all that are flat, one of all that are
  // round, and one of each that is seen through.
  const meshesOf = (solids, colour, opacity = 1) => {
    const seen = solids.filter(opaque), through = solids.filter((solid) => !opaque(solid)).map((solid) => [solid]);
    const groups = [seen.filter(isFlat), seen.filter((solid) => !isFlat(solid)), ...through];
    return groups.filter((group) => group.length).map((group) => {
      const share = opacity * (opaque(group[0]) ? 1 : group[0].opacity);
      const mesh = new THREE.Mesh(merged(group, colour), material(group[0], share));
      mesh.castShadow = mesh.receiveShadow = share === 1;
      return mesh;
    });
  };
  // How far a solid reaches from the body's origin along each axis: its corners, or points on it.
  const corners = (solid) => {
    const [a, b = 0] = solid.size, points = [];
    const half = solid.kind === "box" ? solid.size.map((x) => x / 2)
      : solid.kind === "sphere" ? [a, a, a]
      : solid.kind === "capsule" ? [a, a, b / 2 + a]
      : solid.kind === "rack" ? [a / 2, 0, b / 2] : [a, a, b / 2];
    const mesh = solid.kind === "mesh" ? data.meshes[solid.mesh] : null;
    for (let k = 0; k < 8; k++) {
      const signs = [0, 1, 2].map((c) => (k >> c) & 1);
      points.push(new THREE.Vector3(...signs.map((s, c) => mesh
        ? solid.size[c] * (mesh.low[c] + 65535 * s * mesh.step[c]) : (2 * s - 1) * half[c])));
    }
    const turn = new THREE.Quaternion().fromArray(solid.pose, 3), place = new THREE.Vector3().fromArray(solid.pose);
    return points.map((point) => point.applyQuaternion(turn).add(place));
  };
  return { meshesOf, corners };
};
